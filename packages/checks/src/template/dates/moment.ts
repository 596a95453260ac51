import type { Helper } from '../dialect.ts'
import { plainText } from '../plain-data.ts'
import { formatDate } from './format-date.ts'

/** Epoch milliseconds of what names a moment, undefined when it names none. */
type ReadWhen = (value: unknown, nowMs: number) => number | undefined

/**
 * Makes the helper `moment`, `moment FORMAT`, `moment WHEN` or `moment WHEN FORMAT`. Without a format it writes ISO
 * 8601.
 */
export const momentHelper = (readWhen: ReadWhen): Helper => ({
  kind: 'value',
  min: 0,
  max: 2,
  compute: (args, runtime) => momentText(args, runtime.now(), readWhen),
})

function momentText([first, second]: readonly unknown[], nowMs: number, readWhen: ReadWhen): string {
  const when = first === undefined ? nowMs : readWhen(first, nowMs)
  if (when !== undefined) {
    const date = validDate(when)
    return second === undefined ? date.toISOString() : formatDate(date.getTime(), plainText(second))
  }
  if (second === undefined) return formatDate(nowMs, plainText(first))
  throw new Error(`"${plainText(first).slice(0, 100)}" names no moment as "2 days ago" does`)
}

function validDate(ms: number): Date {
  const date = new Date(ms)
  if (Number.isNaN(date.getTime())) throw new Error('the date is out of range')
  return date
}
