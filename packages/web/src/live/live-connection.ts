import type { LiveEvent } from '@vedette/wire'

export type Connection = 'connecting' | 'live' | 'lost'

/**
 * The server sends a ping every ten seconds. After this time without a message the connection is lost, even without an
 * error.
 */
const silenceMs = 25_000

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
  let silence: ReturnType<typeof setTimeout> | undefined
  let retry: ReturnType<typeof setTimeout> | undefined

  const lost = () => {
    source?.close()
    clearTimeout(silence)
    on.connection('lost')
    retry = setTimeout(connect, 2000)
  }
  const heard = () => {
    clearTimeout(silence)
    silence = setTimeout(lost, silenceMs)
    on.connection('live')
  }
  function connect() {
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

  on.connection('connecting')
  connect()
  return {
    close() {
      source?.close()
      clearTimeout(silence)
      clearTimeout(retry)
    },
  }
}
