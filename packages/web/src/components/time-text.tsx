import { useSyncExternalStore } from 'react'

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
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 60) return `${minutes} min ${Math.round((ms % 60_000) / 1000)} s`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`
}

/** Absolute time with its zone; UTC when asked. */
export function absoluteTime(atMs: number, utc: boolean): string {
  const options: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'long' }
  return new Intl.DateTimeFormat(undefined, utc ? { ...options, timeZone: 'UTC' } : options).format(atMs)
}

let now = Date.now()
const watchers = new Set<() => void>()
let ticking: ReturnType<typeof setInterval> | undefined

function watch(changed: () => void): () => void {
  watchers.add(changed)
  ticking ??= setInterval(() => {
    now = Date.now()
    for (const each of watchers) each()
  }, 1000)
  return () => {
    watchers.delete(changed)
    if (watchers.size > 0 || ticking === undefined) return
    clearInterval(ticking)
    ticking = undefined
  }
}

/** The current time, renewed each second while somebody looks. */
export const useNow = (): number => useSyncExternalStore(watch, () => now)

export function TimeAgo({ at }: { at: string | null }) {
  const current = useNow()
  if (at === null) return <span>never</span>
  const ms = Date.parse(at)
  return (
    <time dateTime={at} title={absoluteTime(ms, false)}>
      {relativeTime(ms, current)}
    </time>
  )
}
