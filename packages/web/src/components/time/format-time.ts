const units: readonly [string, number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
]

/** "3 min ago", "in 5 s", "just now". */
export function relativeTime(atMs: number, nowMs: number): string {
  const distance = Math.abs(atMs - nowMs)
  // A moment that the server has just stored may lie a little ahead of the clock of the page, which ticks in seconds.
  if (distance < (atMs > nowMs ? 2000 : 1000)) return 'just now'
  return atMs > nowMs ? `in ${ageText(distance)}` : `${ageText(distance)} ago`
}

/** A duration in its largest unit alone: "41 s", "3 min", "2 d". */
export function ageText(ms: number): string {
  const [unit, size] = units.find(([, each]) => ms >= each) ?? ['s', 1000]
  return `${Math.floor(ms / size)} ${unit}`
}

/** "3 min 20 s": how long something took or lasts. */
export function durationText(ms: number): string {
  if (ms > 0 && ms < 0.005) return '< 0.01 ms'
  if (ms < 1) return `${Number(ms.toFixed(2))} ms`
  if (ms < 10) return `${Number(ms.toFixed(1))} ms`
  if (Math.round(ms) < 1000) return `${Math.round(ms)} ms`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${Number((ms / 1000).toFixed(ms < 9950 ? 1 : 0))} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return inTwo(minutes, 'min', seconds % 60, 's')
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? inTwo(hours, 'h', minutes % 60, 'min') : inTwo(Math.floor(hours / 24), 'd', hours % 24, 'h')
}

function inTwo(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`
}

/** Absolute time with its zone; UTC when asked. */
export function absoluteTime(atMs: number, utc: boolean): string {
  const options: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'long', hourCycle: 'h23' }
  return new Intl.DateTimeFormat(undefined, utc ? { ...options, timeZone: 'UTC' } : options).format(atMs)
}

/** Time of day, with the date when that is not today. */
export function clockTime(atMs: number, nowMs: number, utc: boolean, hasSeconds = false): string {
  const zone = utc ? { timeZone: 'UTC' } : {}
  const day = (ms: number) => new Intl.DateTimeFormat('en-CA', zone).format(ms)
  const date = day(atMs) === day(nowMs) ? {} : ({ month: 'short', day: 'numeric' } as const)
  return new Intl.DateTimeFormat(undefined, {
    ...date,
    ...zone,
    hour: '2-digit',
    minute: '2-digit',
    ...(hasSeconds && { second: '2-digit' }),
    hourCycle: 'h23',
  }).format(atMs)
}

/** 0.99964 is "99.96 %": rounded down, so that only a perfect record reads 100. */
export function percentText(share: number): string {
  if (share >= 1) return '100 %'
  // A hair is added: 0.9912 as a floating-point number is a little less.
  const floor = (digits: number) => (Math.floor(share * 100 * 10 ** digits + 1e-6) / 10 ** digits).toFixed(digits)
  return `${share >= 0.99 ? floor(2) : floor(1)} %`
}
