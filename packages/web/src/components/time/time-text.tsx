import { useSyncExternalStore } from 'react'
import { useZone } from '../../app/reader-choices.ts'
import { absoluteTime, clockTime, relativeTime } from './format-time.ts'

/**
 * Milliseconds by which this device's clock is behind the server's, so that ages do not depend on the device's clock.
 */
let behindMs = 0
let now = Date.now()
const watchers = new Set<() => void>()
let ticking: ReturnType<typeof setInterval> | undefined

const read = () => {
  now = Date.now() + behindMs
}

/** Sets the server's current time. */
export function noteServerTime(serverMs: number): void {
  if (!Number.isFinite(serverMs)) return
  behindMs = serverMs - Date.now()
  read()
}

/** The server's current time, epoch milliseconds. */
export const serverNow = (): number => Date.now() + behindMs

function watch(changed: () => void): () => void {
  watchers.add(changed)
  ticking ??= setInterval(() => {
    if (document.visibilityState === 'hidden') return
    read()
    for (const each of watchers) each()
  }, 1000)
  return () => {
    watchers.delete(changed)
    if (watchers.size > 0 || ticking === undefined) return
    clearInterval(ticking)
    ticking = undefined
  }
}

/** The current time. The component is drawn again when it reaches the next multiple of `stepMs`. */
export const useNow = (stepMs = 1000): number => useSyncExternalStore(watch, () => Math.floor(now / stepMs) * stepMs)

/** An absolute time with its zone, in the zone the reader chose. */
export function Moment({ at }: { at: string }) {
  const utc = useZone() === 'utc'
  return <time dateTime={at}>{absoluteTime(Date.parse(at), utc)}</time>
}

/** Time of day, with the date when it was another day; all of it in its tip. */
export function ClockTime({ at, hasSeconds = false }: { at: string; hasSeconds?: boolean }) {
  const utc = useZone() === 'utc'
  const ms = Date.parse(at)
  return (
    <time dateTime={at} title={absoluteTime(ms, utc)}>
      {clockTime(ms, useNow(60_000), utc, hasSeconds)}
    </time>
  )
}

export function TimeAgo({ at }: { at: string | null }) {
  const ms = at === null ? 0 : Date.parse(at)
  const second = useNow(1000)
  const utc = useZone() === 'utc'
  if (at === null) return <span>never</span>
  return (
    <time dateTime={at} title={absoluteTime(ms, utc)}>
      {relativeTime(ms, second)}
    </time>
  )
}
