import dayjs, { type Dayjs } from 'dayjs'
import advancedFormat from 'dayjs/plugin/advancedFormat.js'
import dayOfYear from 'dayjs/plugin/dayOfYear.js'
import isoWeek from 'dayjs/plugin/isoWeek.js'
import utc from 'dayjs/plugin/utc.js'

for (const plugin of [utc, advancedFormat, dayOfYear, isoWeek]) dayjs.extend(plugin)

/** Tokens the library lacks. */
const more: Record<string, (day: Dayjs) => string> = {
  DDDD: (day) => String(day.dayOfYear()).padStart(3, '0'),
  DDD: (day) => String(day.dayOfYear()),
  E: (day) => String(day.isoWeekday()),
}

// The library would also replace letters that were no tokens before and that stored formats may contain as text. For the
// same reason E and W are tokens only where they stand alone: CET and WET are text.
const tokenOrText =
  /\[([^\]]*)\]|YYYY|YY|Q|MMMM|MMM|MM|M|DDDD|DDD|DD|Do|D|dddd|ddd|dd|d|(?<![A-Za-z])E(?![A-Za-z])|GGGG|WW|(?<![A-Za-z])W(?![A-Za-z])|HH|H|hh|h|mm|m|ss|s|SSS|A|a|ZZ|Z|X|x/g

/**
 * A moment in epoch milliseconds, written by a format of letters (`YYYY-MM-DD HH:mm`), in UTC. Text in `[brackets]`
 * stays as it is.
 */
export function formatDate(ms: number, format: string): string {
  const day = dayjs.utc(ms)
  return format.replace(tokenOrText, (token, text?: string) => text ?? more[token]?.(day) ?? day.format(token))
}
