import type { Fence } from '../runs.ts'
import type { PreparedResult } from './result-row.ts'

const batchRows = 100
const batchCharacters = 4 * 1024 * 1024

export type AcceptOutcome = { kind: 'accepted' } | { kind: 'rejected'; reason: string } | { kind: 'unavailable' }

/** A result that waits for its transaction. */
export interface Waiting {
  prepared: PreparedResult
  /** It stands for a result that cannot be stored. */
  isReplacement: boolean
  urgent: boolean
  /** Set when only the leader may store it. */
  fence: Fence | undefined
  settle: (outcome: AcceptOutcome) => void
}

/** One result for each attempt: that of an agent wins over the record that the run was lost. */
export function onceEach(results: readonly PreparedResult[]): PreparedResult[] {
  const unique = new Map<string, PreparedResult>()
  for (const result of results) {
    const says = result.incoming.report.verdict.outcome !== 'unknown'
    if (says || !unique.has(result.id)) unique.set(result.id, result)
  }
  return [...unique.values()]
}

const charactersOf = (waiting: readonly Waiting[]): number =>
  waiting.reduce((sum, { prepared }) => sum + prepared.bodyText.length, 0)

export const fillBatch = (waiting: readonly Waiting[]): boolean =>
  waiting.length >= batchRows || charactersOf(waiting) >= batchCharacters

/** The results of the next transaction, oldest first. */
export function takeBatch(waiting: readonly Waiting[]): Waiting[] {
  let characters = 0
  let rows = 0
  for (const { prepared } of waiting) {
    characters += prepared.bodyText.length
    if (rows === batchRows || (rows > 0 && characters > batchCharacters)) break
    rows++
  }
  return waiting.slice(0, rows)
}
