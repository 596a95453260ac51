import type { Clock } from '@vedette/wire'
import type { App } from '../http/build-http.ts'
import { openEventStream, type EventStream } from './event-stream.ts'
import type { LiveHub } from './hub.ts'
import { defaultStreamLimits, openStreams, type StreamLimits } from './stream-limits.ts'

const pingEveryMs = 5000

export interface LiveOptions {
  hub: LiveHub
  clock: Clock
  limits?: StreamLimits | undefined
}

/** Server-sent events of the account, one JSON object each. By `ping` events a page detects a lost connection. */
export function liveRoutes(app: App, { hub, clock, limits = defaultStreamLimits }: LiveOptions): void {
  const open = new Set<EventStream>()
  const streams = openStreams(limits)
  app.addHook('preClose', async () => {
    for (const stream of open) stream.end()
  })

  app.get('/v1/live', {
    exposeHeadRoute: false,
    config: { access: 'read' },
    handler: (request, reply) => {
      const remove = streams.add(request.principal)
      reply.hijack()
      const isCompressed = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
      const stream = openEventStream(reply.raw, { clock, isCompressed, onEnd })
      const ping = () => {
        stream.write(`event: ping\ndata: {"serverTime":${clock.now()}}\n\n`)
        cancelPing = clock.after(pingEveryMs, ping)
      }
      let cancelPing: () => void = () => undefined
      const unsubscribe = hub.subscribe(request.principal.accountId, (event) =>
        stream.write(`data: ${JSON.stringify(event)}\n\n`),
      )
      function onEnd() {
        open.delete(stream)
        remove()
        cancelPing()
        unsubscribe()
      }
      open.add(stream)
      ping()
    },
  })
}
