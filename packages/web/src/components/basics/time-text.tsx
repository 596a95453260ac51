import { useSyncExternalStore } from 'react'
import { useZone } from '../../app/reader-choices.ts'
import { absoluteTime, relativeTime } from './format-time.ts'

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

function watch(changed: () => void): () => void {
  watchers.add(changed)
  ticking ??= setInterval(() => {
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

/** The current time, updated every second while a component shows it. */
export const useNow = (): number => useSyncExternalStore(watch, () => now)

/** An absolute time with its zone, in the zone the reader chose. */
export function Moment({ at }: { at: string }) {
  const utc = useZone() === 'utc'
  return <time dateTime={at}>{absoluteTime(Date.parse(at), utc)}</time>
}

export function TimeAgo({ at }: { at: string | null }) {
  const current = useNow()
  const utc = useZone() === 'utc'
  if (at === null) return <span>never</span>
  const ms = Date.parse(at)
  return (
    <time dateTime={at} title={absoluteTime(ms, utc)}>
      {relativeTime(ms, current)}
    </time>
  )
}
