import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The answer to a request: a good one, a 500, or a closed connection. */
export type Health = 'up' | 'broken' | 'silent'

export interface WatchedTarget {
  url: string
  /** Requests so far, by path. */
  requests: Map<string, number>
  stop(): Promise<void>
}

/** A monitored service on loopback; `healthOf` decides each request. */
export async function startTarget(healthOf: (path: string, nth: number) => Health | Promise<Health>) {
  const requests = new Map<string, number>()
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    const nth = (requests.get(path) ?? 0) + 1
    requests.set(path, nth)
    void Promise.resolve(healthOf(path, nth)).then((health) => {
      if (health === 'silent') response.destroy()
      else response.writeHead(health === 'up' ? 200 : 500).end(health)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const target: WatchedTarget = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  return target
}

/** A port outside the ephemeral range, so that it is still free after a restart. */
export async function freePort(random: () => number): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(random() * 10_000)
    const probe = createServer().listen(port, '127.0.0.1')
    const isFree = await Promise.race([
      once(probe, 'listening').then(() => true),
      new Promise<boolean>((resolve) => probe.once('error', () => resolve(false))),
    ])
    if (!isFree) continue
    probe.close()
    await once(probe, 'close')
    return port
  }
}
