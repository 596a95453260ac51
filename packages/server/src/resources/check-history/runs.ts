import type { RunsOfLocation } from './store.ts'

export type RunOutcome = 'p' | 'd' | 'f' | 'u'

export interface Run {
  /** When it was due, epoch milliseconds. */
  at: number
  ms: number | null
  outcome: RunOutcome
}

/** The runs one by one, oldest first. */
export const runsOf = ({ at, ms, outcomes }: RunsOfLocation, fromMs: number): Run[] =>
  at
    .map((seconds, index) => ({
      at: fromMs + Math.round(seconds * 1000),
      ms: ms[index] ?? null,
      outcome: outcomes.charAt(index) as RunOutcome,
    }))
    .sort((a, b) => a.at - b.at)
