import type { LiveEvent } from '@vedette/wire'
import { retryDelay } from './retry-delay.ts'

/**
 * `delayed`: nothing was heard for longer than the server is ever silent; it may be slow, or the line is dead and nobody
 * said so.
 */
export type Connection = 'connecting' | 'live' | 'delayed' | 'lost'

/** The server sends a ping every five seconds. */
const delayedAfterMs = 8000
const lostAfterMs = 13_000

/** One event stream for the whole app. It reconnects by itself; pages then fetch what they missed. */
export interface LiveConnection {
  close(): void
}

interface Listener {
  event(event: LiveEvent): void
  connection(state: Connection): void
  serverTime(ms: number): void
}

export function openLive(on: Listener): LiveConnection {
  let source: EventSource | undefined
  let delayed: ReturnType<typeof setTimeout> | undefined
  let silence: ReturnType<typeof setTimeout> | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let tries = 0
  let lostAt: number | undefined

  const clear = () => {
    source?.close()
    for (const timer of [delayed, silence, retry]) clearTimeout(timer)
  }
  const lost = () => {
    clear()
    lostAt ??= performance.now()
    on.connection('lost')
    retry = setTimeout(connect, retryDelay(tries++, performance.now() - lostAt, Math.random()))
  }
  const heard = () => {
    clearTimeout(delayed)
    clearTimeout(silence)
    delayed = setTimeout(() => on.connection('delayed'), delayedAfterMs)
    silence = setTimeout(lost, lostAfterMs)
    tries = 0
    lostAt = undefined
    on.connection('live')
  }
  function connect() {
    clear()
    silence = setTimeout(lost, lostAfterMs)
    source = new EventSource('/v1/live')
    source.addEventListener('ping', (message) => {
      heard()
      on.serverTime(Number((JSON.parse(message.data) as { serverTime: number }).serverTime))
    })
    source.addEventListener('message', (message) => {
      heard()
      on.event(JSON.parse(message.data) as LiveEvent)
    })
    source.addEventListener('error', lost)
  }
  // Whoever comes back to the page, or to the network, does not wait for the next try.
  const comeBack = () => {
    if (lostAt !== undefined && document.visibilityState === 'visible') connect()
  }
  document.addEventListener('visibilitychange', comeBack)
  window.addEventListener('online', comeBack)

  on.connection('connecting')
  connect()
  return {
    close() {
      clear()
      document.removeEventListener('visibilitychange', comeBack)
      window.removeEventListener('online', comeBack)
    },
  }
}
