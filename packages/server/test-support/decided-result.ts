import type { DecidedResult } from '../src/alerting/state/next-state.ts'

/** What a run said: its outcome, or that it passed but was degraded. */
export type Word = DecidedResult['outcome'] | 'degraded'

/** A result of one location, eu-west-1 unless `more` says otherwise, as the alert state machine gets it. */
export const decidedResult = (word: Word, dueAt: number, more: Partial<DecidedResult> = {}): DecidedResult => ({
  resultId: `${word} at ${dueAt}`,
  dueAt,
  location: 'eu-west-1',
  outcome: word === 'degraded' ? 'pass' : word,
  degraded: word === 'degraded',
  cause: null,
  responseMs: null,
  statusCode: null,
  startedAt: null,
  finishedAt: null,
  late: false,
  cancelled: false,
  parallel: undefined,
  ...more,
})
