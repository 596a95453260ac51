import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A target that answers nobody until it is told to. */
export async function startHoldingTarget() {
  const waiting: ServerResponse[] = []
  let heard: () => void = () => undefined
  const server = createServer((_, response) => {
    waiting.push(response)
    heard()
  })
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 })
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    /** Resolves when it holds so many. */
    async held(count: number): Promise<void> {
      while (waiting.length < count) await new Promise<void>((resolve) => (heard = resolve))
    },
    release(): void {
      for (const response of waiting.splice(0)) response.end('{}')
    },
    async stop(): Promise<void> {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
