import { unknownContent, type IncomingResult } from '../runs.ts'
import { cutText, storableText } from '../storable.ts'
import { prepareResult, type PreparedResult } from './result-row.ts'

const longestReason = 500

/**
 * The record of a result that cannot be stored: its run ends as *not known*, with the reason. It counts as never
 * started, so that it makes way for the result itself, should an agent deliver it to a server that can store it.
 */
export function unstorable({ identity, receivedAt, leasedAt }: IncomingResult, error: unknown): PreparedResult {
  const text = `The result could not be stored: ${cutText(reasonOf(error), longestReason)}`
  return prepareResult({ identity, receivedAt, leasedAt, report: unknownContent({ code: 'NOT_STORABLE', text }) })
}

export const reasonOf = (error: unknown): string => storableText(error instanceof Error ? error.message : String(error))
