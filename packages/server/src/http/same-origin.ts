import type { FastifyRequest } from 'fastify'
import { forbidden } from './api-error.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])
const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

/**
 * Refuses what another web site could make a signed-in browser send: a foreign Host (DNS rebinding) always, a foreign
 * origin for anything that changes something.
 */
export function checkSameOrigin(request: FastifyRequest, baseUrl: string): void {
  const base = new URL(baseUrl)
  const host = request.headers.host?.toLowerCase() ?? ''
  const hosts = allowedHosts(base)
  if (!hosts.includes(host)) throw forbidden(`This server is ${base.host}; the request names another host.`)
  if (safeMethods.has(request.method)) return
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    throw forbidden('A page of another site may not do this.')
  }
  const { origin } = request.headers
  if (origin === undefined ? site === undefined : !isOwnOrigin(origin, hosts)) {
    throw forbidden('The request must come from a page of this server (Origin or Sec-Fetch-Site).')
  }
}

function allowedHosts(base: URL): string[] {
  const port = base.port === '' ? '' : `:${base.port}`
  return [base.host, ...loopbackNames.map((name) => `${name}${port}`)]
}

function isOwnOrigin(origin: string, hosts: readonly string[]): boolean {
  return URL.canParse(origin) && hosts.includes(new URL(origin).host)
}
