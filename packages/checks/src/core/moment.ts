const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

const twoDigits = (value: number) => String(value).padStart(2, '0')
const hour12 = (date: Date) => date.getUTCHours() % 12 || 12

function ordinal(value: number): string {
  if (value % 100 >= 11 && value % 100 <= 13) return `${value}th`
  return `${value}${['th', 'st', 'nd', 'rd'][value % 10] ?? 'th'}`
}

const dayOfYear = (date: Date) =>
  (Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()) - Date.UTC(date.getUTCFullYear(), 0, 0)) /
  864e5

/** ISO 8601 week: the one that holds the Thursday. */
function isoWeek(date: Date): { year: number; week: number } {
  const thursday = new Date(date)
  thursday.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7) + 3)
  return { year: thursday.getUTCFullYear(), week: Math.ceil(dayOfYear(thursday) / 7) }
}

const tokens: Record<string, (date: Date) => string> = {
  YYYY: (date) => String(date.getUTCFullYear()).padStart(4, '0'),
  YY: (date) => twoDigits(date.getUTCFullYear() % 100),
  Q: (date) => String(Math.floor(date.getUTCMonth() / 3) + 1),
  MMMM: (date) => months[date.getUTCMonth()] ?? '',
  MMM: (date) => (months[date.getUTCMonth()] ?? '').slice(0, 3),
  MM: (date) => twoDigits(date.getUTCMonth() + 1),
  M: (date) => String(date.getUTCMonth() + 1),
  DDDD: (date) => String(dayOfYear(date)).padStart(3, '0'),
  DDD: (date) => String(dayOfYear(date)),
  DD: (date) => twoDigits(date.getUTCDate()),
  Do: (date) => ordinal(date.getUTCDate()),
  D: (date) => String(date.getUTCDate()),
  dddd: (date) => weekdays[date.getUTCDay()] ?? '',
  ddd: (date) => (weekdays[date.getUTCDay()] ?? '').slice(0, 3),
  dd: (date) => (weekdays[date.getUTCDay()] ?? '').slice(0, 2),
  d: (date) => String(date.getUTCDay()),
  E: (date) => String(date.getUTCDay() || 7),
  GGGG: (date) => String(isoWeek(date).year),
  WW: (date) => twoDigits(isoWeek(date).week),
  W: (date) => String(isoWeek(date).week),
  HH: (date) => twoDigits(date.getUTCHours()),
  H: (date) => String(date.getUTCHours()),
  hh: (date) => twoDigits(hour12(date)),
  h: (date) => String(hour12(date)),
  mm: (date) => twoDigits(date.getUTCMinutes()),
  m: (date) => String(date.getUTCMinutes()),
  ss: (date) => twoDigits(date.getUTCSeconds()),
  s: (date) => String(date.getUTCSeconds()),
  SSS: (date) => String(date.getUTCMilliseconds()).padStart(3, '0'),
  A: (date) => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
  a: (date) => (date.getUTCHours() < 12 ? 'am' : 'pm'),
  ZZ: () => '+0000',
  Z: () => '+00:00',
  X: (date) => String(Math.floor(date.getTime() / 1000)),
  x: (date) => String(date.getTime()),
}

const longestFirst = Object.keys(tokens).toSorted((a, b) => b.length - a.length)
const tokenOrText = new RegExp(`\\[([^\\]]*)\\]|${longestFirst.join('|')}`, 'g')

const format = (date: Date, pattern: string) =>
  pattern.replace(tokenOrText, (token, text: string | undefined) => text ?? tokens[token]?.(date) ?? token)

const unitMs: Record<string, number> = { second: 1000, minute: 60_000, hour: 3_600_000, day: 864e5, week: 6048e5 }

/** Moves by calendar units; the last day of a shorter month stands for a day it lacks. */
function shifted(epochMs: number, amount: number, unit: string): number {
  const ms = unitMs[unit]
  if (ms !== undefined) return epochMs + amount * ms
  const date = new Date(epochMs)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + (unit === 'year' ? 12 * amount : amount))
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, lastDay))
  return date.getTime()
}

const amounts: Record<string, number> = { last: -1, next: 1, a: 1, an: 1 }
const days: Record<string, number> = { now: 0, today: 0, yesterday: -1, tomorrow: 1 }
const units = '(second|minute|hour|day|week|month|year)s?'
const relative = new RegExp(`^(?:(last|next) ${units}|(in )?(\\d{1,5}|an?) ${units}( ago| from now)?)$`)

/** Epoch milliseconds of a phrase such as "2 days ago", "in 3 hours", "last week"; undefined when it is none. */
function parsePhrase(phrase: string, nowMs: number): number | undefined {
  const text = phrase.trim().toLowerCase().replaceAll(/\s+/g, ' ')
  if (Object.hasOwn(days, text)) return shifted(nowMs, days[text] ?? 0, 'day')
  const found = relative.exec(text)
  if (found === null) return undefined
  const [, side, sideUnit, ahead, count, unit, direction] = found
  if (side !== undefined) return shifted(nowMs, amounts[side] ?? 0, sideUnit ?? 'day')
  if ((ahead === undefined) === (direction === undefined)) return undefined
  const amount = amounts[count ?? ''] ?? Number(count)
  return shifted(nowMs, direction === ' ago' ? -amount : amount, unit ?? 'day')
}

/**
 * The `moment` helper, in UTC: a format; a phrase; or a phrase and a format. Without a format it is ISO 8601.
 * undefined when the arguments make no sense.
 */
export function formatMoment(nowMs: number, args: readonly string[]): string | undefined {
  const [first, second] = args
  if (args.length > 2) return undefined
  if (first === undefined) return new Date(nowMs).toISOString()
  const at = parsePhrase(first, nowMs)
  if (second !== undefined) return at === undefined ? undefined : format(new Date(at), second)
  return at === undefined ? format(new Date(nowMs), first) : new Date(at).toISOString()
}
