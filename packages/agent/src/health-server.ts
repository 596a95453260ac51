import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Job } from '@vedette/wire'

export interface Health {
  ready: boolean
  /** Shown on `/health`. */
  details: Record<string, unknown>
}

export interface HealthServer {
  port: number
  close(): Promise<void>
}

/**
 * `/-/readiness`, `/-/liveness` and `/health`, as the contract names them. Port 0 takes any free one; without a host it
 * is open on every address.
 */
export async function serveHealth(
  { port, host }: { port: number; host?: string | undefined },
  health: () => Health,
): Promise<HealthServer> {
  const server = createServer((request, response) => {
    const { status, body } = answerTo(request.method, request.url, health)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(request.method === 'HEAD' ? undefined : `${JSON.stringify(body)}\n`)
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Adds the health endpoints to the targets that a check must not reach. */
export function denyHealth(job: Job, port: number | undefined): Job {
  if (port === undefined) return job
  const deniedTargets = [...job.egress.deniedTargets, ...['0.0.0.0', '::'].map((address) => ({ address, port }))]
  return { ...job, egress: { ...job.egress, deniedTargets } }
}

function answerTo(method: string | undefined, url: string | undefined, health: () => Health) {
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, body: { error: 'Method Not Allowed' } }
  const path = url?.split('?')[0]
  if (path === '/-/liveness') return { status: 200, body: { status: 'alive' } }
  const { ready, details } = health()
  if (path === '/-/readiness') return { status: ready ? 200 : 503, body: { status: ready ? 'ready' : 'not ready' } }
  if (path === '/health') return { status: 200, body: { status: ready ? 'ready' : 'not ready', ...details } }
  return { status: 404, body: { error: 'Not Found' } }
}
