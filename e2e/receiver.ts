import { createServer, type IncomingHttpHeaders } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

export interface Delivery {
  at: number
  headers: IncomingHttpHeaders
  text: string
  body: Record<string, unknown>
}

/** A webhook receiver on loopback that keeps what it receives and answers after `delayMs`. */
export async function startReceiver({ delayMs = 0 } = {}) {
  const deliveries: Delivery[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (part) => (text += part))
    request.on('end', () => {
      deliveries.push({
        at: Date.now(),
        headers: request.headers,
        text,
        body: JSON.parse(text) as Record<string, unknown>,
      })
      setTimeout(() => response.end('noted'), delayMs)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/alerts`,
    deliveries,
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
