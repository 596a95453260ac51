import { invalidField } from '../../api-error.ts'
import type { ListQuery } from './list-query.ts'

const sixHoursMs = 6 * 3_600_000

/** From when to when, in epoch milliseconds. What one check or result led to is shown whole unless a window is sent. */
export function windowOf({ from, to, checkId, checkResultId }: ListQuery, nowMs: number): { from: Date; to: Date } {
  const narrowed = checkId !== undefined || checkResultId !== undefined
  const start = from ?? (narrowed ? 0 : nowMs - sixHoursMs)
  const end = to ?? (narrowed ? nowMs + sixHoursMs : start + sixHoursMs)
  if (end < start) throw invalidField('to', `must not be before "from", got ${end / 1000}`, 'query')
  return { from: new Date(start), to: new Date(end) }
}
