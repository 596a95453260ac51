import type { FastifyRequest } from 'fastify'
import { forbidden } from '../../api-error.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])
const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/

/**
 * Refuses what another web site could make a signed-in browser send: always a foreign Host (DNS rebinding), and a
 * foreign origin for anything but reads. Loopback names are trusted with any port, because the port may be mapped.
 */
export function checkSameOrigin(request: FastifyRequest, baseUrl: string): void {
  const own = new URL(baseUrl).host
  const host = request.headers.host?.toLowerCase() ?? ''
  if (host !== own && !loopback.test(host)) {
    throw forbidden(`This server is ${own}; set VEDETTE_BASE_URL to the address that people use.`)
  }
  if (!safeMethods.has(request.method)) checkOrigin(request, [own, host])
}

function checkOrigin({ headers }: FastifyRequest, ownHosts: readonly string[]): void {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    throw forbidden('A page of another site may not do this.')
  }
  const { origin } = headers
  const isOwn = origin === undefined ? site !== undefined : isOriginOf(origin, ownHosts)
  if (!isOwn) throw forbidden('The request must come from a page of this server (Origin or Sec-Fetch-Site).')
}

const isOriginOf = (origin: string, hosts: readonly string[]): boolean =>
  URL.canParse(origin) && hosts.includes(new URL(origin).host)
