import { plainText } from './encode-value.ts'
import { readWhen } from './read-when.ts'

const months = 'January February March April May June July August September October November December'.split(' ')
const days = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')
const two = (number: number): string => String(number).padStart(2, '0')
const twelve = (hours: number): number => hours % 12 || 12
const dayOfYear = (d: Date): number =>
  Math.floor(
    (Date.UTC(d.getUTCFullYear(), d.getUTCMonth(), d.getUTCDate()) - Date.UTC(d.getUTCFullYear(), 0, 1)) / 86_400_000,
  ) + 1

function ordinal(number: number): string {
  const ending = number % 100 >= 11 && number % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')
  return `${number}${ending}`
}

const tokens: Record<string, (date: Date) => string> = {
  YYYY: (d) => String(d.getUTCFullYear()),
  YY: (d) => two(d.getUTCFullYear() % 100),
  Q: (d) => String(Math.floor(d.getUTCMonth() / 3) + 1),
  MMMM: (d) => months[d.getUTCMonth()] ?? '',
  MMM: (d) => (months[d.getUTCMonth()] ?? '').slice(0, 3),
  MM: (d) => two(d.getUTCMonth() + 1),
  M: (d) => String(d.getUTCMonth() + 1),
  DDDD: (d) => String(dayOfYear(d)).padStart(3, '0'),
  DDD: (d) => String(dayOfYear(d)),
  DD: (d) => two(d.getUTCDate()),
  Do: (d) => ordinal(d.getUTCDate()),
  D: (d) => String(d.getUTCDate()),
  dddd: (d) => days[d.getUTCDay()] ?? '',
  ddd: (d) => (days[d.getUTCDay()] ?? '').slice(0, 3),
  dd: (d) => (days[d.getUTCDay()] ?? '').slice(0, 2),
  d: (d) => String(d.getUTCDay()),
  HH: (d) => two(d.getUTCHours()),
  H: (d) => String(d.getUTCHours()),
  hh: (d) => two(twelve(d.getUTCHours())),
  h: (d) => String(twelve(d.getUTCHours())),
  mm: (d) => two(d.getUTCMinutes()),
  m: (d) => String(d.getUTCMinutes()),
  ss: (d) => two(d.getUTCSeconds()),
  s: (d) => String(d.getUTCSeconds()),
  SSS: (d) => String(d.getUTCMilliseconds()).padStart(3, '0'),
  A: (d) => (d.getUTCHours() < 12 ? 'AM' : 'PM'),
  a: (d) => (d.getUTCHours() < 12 ? 'am' : 'pm'),
  X: (d) => String(Math.floor(d.getTime() / 1000)),
  x: (d) => String(d.getTime()),
  ZZ: () => '+0000',
  Z: () => '+00:00',
}
const tokenPattern =
  /\[([^\]]*)\]|YYYY|YY|Q|MMMM|MMM|MM|M|DDDD|DDD|DD|Do|D|dddd|ddd|dd|d|HH|H|hh|h|mm|m|ss|s|SSS|A|a|X|x|ZZ|Z/g

/** A date by a format of letters (`YYYY-MM-DD HH:mm`), in UTC. Text in `[brackets]` stays as it is. */
export const formatDate = (date: Date, format: string): string =>
  format.replace(tokenPattern, (token, literal?: string) => literal ?? tokens[token]?.(date) ?? token)

/** `moment`, `moment FORMAT`, `moment WHEN` or `moment WHEN FORMAT`. */
export function formatMoment(args: readonly unknown[], nowMs: number): string {
  const [first, second] = args
  const when = first === undefined ? nowMs : readWhen(first, nowMs)
  if (when !== undefined) return second === undefined ? iso(when) : formatDate(dateOf(when), plainText(second))
  if (second === undefined) return formatDate(new Date(nowMs), plainText(first))
  throw new Error(`"${plainText(first).slice(0, 100)}" is not a date or a phrase like "2 days ago"`)
}

const iso = (ms: number): string => dateOf(ms).toISOString()

function dateOf(ms: number): Date {
  const date = new Date(ms)
  if (Number.isNaN(date.getTime())) throw new Error('the date is out of range')
  return date
}
