import type { Gap } from './store.ts'

/** Due times of the runs whose outcome is known, by location, oldest first. */
export type KnownRuns = ReadonlyMap<string | null, readonly number[]>

export interface WatchedBy {
  /** Where the check runs. */
  locations: readonly string[]
  runParallel: boolean
  /** Time between two slots; 0 for a passive check, whose events cover nothing. */
  periodMs: number
}

/**
 * What of the gaps was not watched. An agent that kept the schedule by itself while the server was away delivers its runs
 * later: each of them covers the time until the next slot. A check that runs at one location after the other is watched
 * by any of them. Parts that are less than `apartMs` apart are one.
 */
export function notWatched(gaps: readonly Gap[], runs: KnownRuns, by: WatchedBy, apartMs: number): Gap[] {
  if (by.periodMs === 0) return [...gaps]
  return gaps.flatMap((gap) => {
    const places = gap.location === null && by.runParallel ? by.locations : [gap.location]
    const parts = places.map((location) => leftOf({ ...gap, location }, timesAt(runs, location, by), by.periodMs))
    const isWhole = parts.every(([part, ...more]) => part?.from === gap.from && part.to === gap.to && more.length === 0)
    return isWhole ? [gap] : parts.flatMap((left) => joined(left, apartMs))
  })
}

function timesAt(runs: KnownRuns, location: string | null, { runParallel }: WatchedBy): number[] {
  const own = runParallel && location !== null ? [runs.get(location) ?? []] : [...runs.values()]
  return own.flat().sort((one, other) => one - other)
}

/** The gap without the times that the runs cover. */
function leftOf(gap: Gap, times: readonly number[], periodMs: number): Gap[] {
  const left: Gap[] = []
  let { from } = gap
  for (const time of times) {
    if (time + periodMs <= from) continue
    if (time > gap.to) break
    if (time > from) left.push({ ...gap, from, to: time })
    from = time + periodMs
  }
  return from <= gap.to ? [...left, { ...gap, from }] : left
}

function joined(parts: readonly Gap[], apartMs: number): Gap[] {
  const found: Gap[] = []
  for (const part of parts) {
    const last = found.at(-1)
    if (last !== undefined && part.from - last.to < apartMs) found[found.length - 1] = { ...last, to: part.to }
    else found.push(part)
  }
  return found
}
