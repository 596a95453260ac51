type Unit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year'
const unitMs: Record<Exclude<Unit, 'month' | 'year'>, number> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
}

const unitPattern = '(second|minute|hour|day|week|month|year)s?'
const words: Record<string, number> = { now: 0, today: 0, yesterday: -1, tomorrow: 1 }

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

function readPhrase(phrase: string, nowMs: number): number | undefined {
  const days = Object.hasOwn(words, phrase) ? words[phrase] : undefined
  if (days !== undefined) return shift(nowMs, days, 'day')
  const near = new RegExp(`^(last|next) ${unitPattern}$`).exec(phrase)
  if (near) return shift(nowMs, near[1] === 'last' ? -1 : 1, near[2] as Unit)
  const ago = new RegExp(`^(an?|\\d{1,6}) ${unitPattern} (ago|from now|hence)$`).exec(phrase)
  if (ago) return shift(nowMs, countOf(ago[1]) * (ago[3] === 'ago' ? -1 : 1), ago[2] as Unit)
  const ahead = new RegExp(`^in (an?|\\d{1,6}) ${unitPattern}$`).exec(phrase)
  return ahead ? shift(nowMs, countOf(ahead[1]), ahead[2] as Unit) : undefined
}

/** Epoch milliseconds of a phrase ("2 days ago", "last week"), an ISO date or a number of milliseconds. */
export function readWhen(value: unknown, nowMs: number): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return undefined
  const phrase = readPhrase(value.trim().toLowerCase().replace(/\s+/g, ' ').slice(0, 100), nowMs)
  if (phrase !== undefined) return phrase
  const parsed = /^\d{4}-\d{2}-\d{2}(?:[T ][\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?$/.test(value) ? Date.parse(value) : NaN
  return Number.isNaN(parsed) ? undefined : parsed
}
