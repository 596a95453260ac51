import type { CheckSessionResult, CheckSessionWithResults } from '@vedette/wire'

/** The run of a session at one location. */
export interface RunOfSession {
  /** Where it was to run; a retry may be elsewhere. */
  location: string
  results: CheckSessionResult[]
}

/** One run for each location, in the order of the session, with its results in the order of their attempts. */
export function runsOfSession({ runLocations, results }: CheckSessionWithResults): RunOfSession[] {
  const bySequence = new Map<string, CheckSessionResult[]>()
  for (const result of results)
    bySequence.set(result.sequenceId, [...(bySequence.get(result.sequenceId) ?? []), result])
  const runs = [...bySequence.values()]
  const taken = new Set<CheckSessionResult[]>()
  const take = (isIt: (run: CheckSessionResult[]) => boolean) => {
    const run = runs.find((one) => !taken.has(one) && isIt(one))
    if (run !== undefined) taken.add(run)
    return run
  }
  const own = runLocations.map((location) => take(([first]) => first?.runLocation === location))
  // A location without agents leaves its run to another one.
  return runLocations.map((location, at) => ({ location, results: own[at] ?? take(() => true) ?? [] }))
}
