const units: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
]

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'short' })

export function relativeTime(atMs: number, nowMs: number): string {
  const distance = atMs - nowMs
  for (const [unit, size] of units) {
    if (Math.abs(distance) >= size) return relative.format(Math.trunc(distance / size), unit)
  }
  return 'just now'
}

/** "3 min 20 s": how long something took or lasts. */
export function durationText(ms: number): string {
  if (ms > 0 && ms < 0.05) return '< 0.1 ms'
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
  const options: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'long' }
  return new Intl.DateTimeFormat(undefined, utc ? { ...options, timeZone: 'UTC' } : options).format(atMs)
}
