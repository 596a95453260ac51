import { ApiError } from '../../../api-error.ts'
import { inTurns } from '../../in-turns.ts'

/** A check that was refused, and why. */
export interface Refused {
  id: string
  error: ApiError
}

/** What became of each of many checks. */
export interface Outcomes<Done> {
  done: Done[]
  refused: Refused[]
}

/** Does it for each check: one that is refused keeps no other from it. Others get their turn in between. */
export async function eachAlone<One extends { id: string }, Done>(
  all: readonly One[],
  work: (one: One) => Done | Promise<Done>,
): Promise<Outcomes<Done>> {
  const outcomes: Outcomes<Done> = { done: [], refused: [] }
  for await (const [, one] of inTurns(all)) {
    try {
      outcomes.done.push(await work(one))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      outcomes.refused.push({ id: one.id, error })
    }
  }
  return outcomes
}

/** The outcome of a single check. Throws why it was refused. */
export function theOne<Done>({ done: [first], refused: [refusal] }: Outcomes<Done>): Done {
  if (refusal) throw refusal.error
  if (first === undefined) throw new Error('One check was to be changed, and nothing became of it')
  return first
}
