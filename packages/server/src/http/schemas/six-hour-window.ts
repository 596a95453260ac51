import { invalidField } from '../../api-error.ts'

const sixHoursMs = 6 * 3_600_000

/** A window of time as it is asked for, in epoch milliseconds. */
export interface AskedWindow {
  from?: number | undefined
  to?: number | undefined
}

const shown = (ms: number): string => new Date(ms).toISOString()

/** Throws a 400 for a window that ends before it begins. */
export function checkOrder({ from, to }: AskedWindow): void {
  if (from === undefined || to === undefined || from <= to) return
  throw invalidField('from', `must not be after "to", got ${shown(from)} after ${shown(to)}`, 'query')
}

/** The window of lists that show at most six hours. Source: contract, "Results, sessions, statuses". */
export function sixHourWindow({ from, to }: AskedWindow, nowMs: number): { from: number; to: number } {
  checkOrder({ from, to })
  if (from !== undefined && to !== undefined) {
    if (to - from <= sixHoursMs) return { from, to }
    throw invalidField('to', `must be at most six hours after "from", got ${shown(to)} after ${shown(from)}`, 'query')
  }
  if (from !== undefined) return { from, to: from + sixHoursMs }
  const end = to ?? nowMs
  return { from: Math.max(0, end - sixHoursMs), to: end }
}
