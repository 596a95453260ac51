import { invalidField } from '../../api-error.ts'

const sixHoursMs = 6 * 3_600_000

/** The window of the deprecated list. Source: contract, "Results, sessions, statuses". */
export function sixHourWindow(
  { from, to }: { from?: number | undefined; to?: number | undefined },
  nowMs: number,
): { from: number; to: number } {
  if (from !== undefined && to !== undefined) {
    if (to - from <= sixHoursMs) return { from, to }
    throw invalidField('to', 'must be at most six hours after "from"', 'query')
  }
  if (from !== undefined) return { from, to: from + sixHoursMs }
  const end = to ?? nowMs
  return { from: Math.max(0, end - sixHoursMs), to: end }
}
