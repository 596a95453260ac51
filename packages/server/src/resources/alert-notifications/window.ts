import { invalidField } from '../../api-error.ts'
import type { ListQuery } from './list-query.ts'

const sixHoursMs = 6 * 3_600_000

/** Start and end in epoch milliseconds. Without a sent window, the list for one check or result is not bounded. */
export function windowOf({ from, to, checkId, checkResultId }: ListQuery, nowMs: number): { from: Date; to: Date } {
  const narrowed = checkId !== undefined || checkResultId !== undefined
  const start = from ?? (narrowed ? 0 : nowMs - sixHoursMs)
  const end = to ?? (narrowed ? nowMs + sixHoursMs : start + sixHoursMs)
  if (end < start) throw invalidField('to', `must not be before "from", got ${end / 1000}`, 'query')
  return { from: new Date(start), to: new Date(end) }
}
