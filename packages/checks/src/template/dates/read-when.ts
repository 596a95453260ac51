type Unit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year'
const unitMs: Record<Exclude<Unit, 'month' | 'year'>, number> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
}

const units = '(second|minute|hour|day|week|month|year)s?'
const days: Record<string, number> = { now: 0, today: 0, yesterday: -1, tomorrow: 1 }
const near = new RegExp(`^(last|next) ${units}$`)
const away = new RegExp(`^(an?|\\d{1,6}) ${units} (ago|from now|hence)$`)
const ahead = new RegExp(`^in (an?|\\d{1,6}) ${units}$`)

/** Calendar months and years keep the day where the month has it: a month before 31 March is the last of February. */
function shift(fromMs: number, amount: number, unit: Unit): number {
  if (unit !== 'month' && unit !== 'year') return fromMs + amount * unitMs[unit]
  const date = new Date(fromMs)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + amount * (unit === 'year' ? 12 : 1))
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, last))
  return date.getTime()
}

const countOf = (text: string | undefined): number => (text === 'a' || text === 'an' ? 1 : Number(text))

/** Epoch milliseconds of a phrase ("2 days ago", "in 3 hours", "last week"); undefined when it is none. */
export function readPhrase(value: unknown, nowMs: number): number | undefined {
  if (typeof value !== 'string') return undefined
  const phrase = value.trim().toLowerCase().replace(/\s+/g, ' ').slice(0, 100)
  if (Object.hasOwn(days, phrase)) return shift(nowMs, days[phrase] ?? 0, 'day')
  const [, side, sideUnit] = near.exec(phrase) ?? []
  if (side !== undefined) return shift(nowMs, side === 'last' ? -1 : 1, sideUnit as Unit)
  const [, count, unit, direction] = away.exec(phrase) ?? ahead.exec(phrase) ?? []
  if (count === undefined) return undefined
  return shift(nowMs, countOf(count) * (direction === 'ago' ? -1 : 1), unit as Unit)
}

/** The same of a phrase, an ISO date or a number of milliseconds. */
export function readWhen(value: unknown, nowMs: number): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return undefined
  const phrase = readPhrase(value, nowMs)
  if (phrase !== undefined) return phrase
  const parsed = /^\d{4}-\d{2}-\d{2}(?:[T ][\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?$/.test(value) ? Date.parse(value) : NaN
  return Number.isNaN(parsed) ? undefined : parsed
}
