import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Delivery {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}

export interface Receiver {
  base: string
  port: number
  deliveries: Delivery[]
  /** Resolves when that many deliveries came in. */
  received(count: number): Promise<Delivery[]>
  close(): Promise<void>
}

/** A real HTTP server that records requests and answers as configured; 200 by default, at a free port. */
export async function openReceiver(
  answer: (response: ServerResponse, delivery: Delivery, number: number) => void = (response) =>
    void response.end('ok'),
  atPort = 0,
): Promise<Receiver> {
  const deliveries: Delivery[] = []
  const waiting: { count: number; resolve: () => void }[] = []
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const delivery = { method, url, headers, body: Buffer.concat(parts).toString('utf8') }
      deliveries.push(delivery)
      answer(response, delivery, deliveries.length)
      for (const { count, resolve } of waiting) if (deliveries.length >= count) resolve()
    })
  })
  await new Promise<void>((resolve) => server.listen(atPort, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    base: `http://127.0.0.1:${port}`,
    port,
    deliveries,
    async received(count) {
      if (deliveries.length < count) await new Promise<void>((resolve) => waiting.push({ count, resolve }))
      return deliveries
    },
    close() {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
