import type { Clock } from '@vedette/wire'
import type { App } from '../http/build-http.ts'
import type { LiveHub } from './hub.ts'

const pingEveryMs = 10_000
/** Bounds the server's memory for a page that does not read. */
const bufferLimit = 1024 * 1024

/** Server-sent events of the account, one JSON object each. By `ping` events a page detects a lost connection. */
export function liveRoutes(app: App, options: { hub: LiveHub; clock: Clock }): void {
  const open = new Set<() => void>()
  app.addHook('preClose', async () => {
    for (const end of open) end()
  })

  app.get('/v1/live', {
    config: { access: 'read' },
    handler: (request, reply) => {
      reply.hijack()
      const stream = reply.raw
      stream.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      })
      const write = (text: string) => {
        if (stream.writableLength > bufferLimit) end()
        else stream.write(text)
      }
      const ping = () => {
        write(`event: ping\ndata: {"serverTime":${options.clock.now()}}\n\n`)
        cancelPing = options.clock.after(pingEveryMs, ping)
      }
      let cancelPing: () => void = () => undefined
      const unsubscribe = options.hub.subscribe(request.principal.accountId, (event) =>
        write(`data: ${JSON.stringify(event)}\n\n`),
      )
      function end() {
        open.delete(end)
        cancelPing()
        unsubscribe()
        stream.end()
      }
      open.add(end)
      stream.on('close', end)
      ping()
    },
  })
}
