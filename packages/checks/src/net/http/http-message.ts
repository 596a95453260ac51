import type { JobClientCertificate } from '@vedette/wire'
import type { FamilyChoice } from '../dns/dns.ts'
import type { TrustSettings } from '../tls/secure-contexts.ts'

/** One HTTP exchange to make. Header names keep the spelling they are sent with. */
export interface HttpRequest {
  method: string
  url: URL
  headers: readonly (readonly [name: string, value: string])[]
  body: Buffer | undefined
  family: FamilyChoice
  followRedirects: boolean
  /** Accept any certificate. */
  skipSSL: boolean
  trust?: TrustSettings
  /** Each hop presents the one for its own host. Newest first. */
  clientCertificates?: readonly JobClientCertificate[] | undefined
  /** Lower-case names that are not carried to another origin, besides those that never are. */
  confidential?: ReadonlySet<string>
  /** Decode bodies of binary content types as text too. */
  binaryAsText?: boolean
}

/** How many redirects are followed. */
export const mostRedirects = 20
const redirecting = new Set([301, 302, 303, 307, 308])
const bound = new Set(['authorization', 'cookie', 'proxy-authorization', 'x-api-key'])
const describesBody = new Set([
  'content-type',
  'content-length',
  'content-encoding',
  'content-language',
  'transfer-encoding',
])

/** The URL of a redirect, undefined when the answer is none. */
export const redirectTarget = (status: number, location: string | undefined): string | undefined =>
  redirecting.has(status) && location !== undefined && location !== '' ? asSent(location) : undefined

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Node decodes header bytes as Latin-1. Unencoded locations are sent as UTF-8, and browsers read them so. */
function asSent(location: string): string {
  if (!/[\u0080-\u00ff]/.test(location)) return location
  try {
    return utf8.decode(Buffer.from(location, 'latin1'))
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return location
  }
}

/**
 * The request of the next hop. 301 and 302 turn POST into GET, 303 all methods but HEAD, as in browsers; 307 and 308
 * repeat.
 */
export function redirectedRequest(request: HttpRequest, status: number, url: URL): HttpRequest {
  const toGet = (status === 303 && request.method !== 'HEAD') || (status < 303 && request.method === 'POST')
  const sameOrigin = url.origin === request.url.origin
  const keeps = (name: string) => {
    if (!sameOrigin && (bound.has(name) || name === 'host' || request.confidential?.has(name))) return false
    return !(toGet && describesBody.has(name))
  }
  return {
    ...request,
    url,
    method: toGet ? 'GET' : request.method,
    body: toGet ? undefined : request.body,
    headers: request.headers.filter(([name]) => keeps(name.toLowerCase())),
  }
}

/** Received headers by lower-case name; repeated ones joined with `, `, set-cookie with a line feed. */
export function joinedHeaders(raw: readonly string[]): Record<string, string> {
  const joined = new Map<string, string>()
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase()
    const value = raw[index + 1] ?? ''
    const before = joined.get(name)
    joined.set(name, before === undefined ? value : `${before}${name === 'set-cookie' ? '\n' : ', '}${value}`)
  }
  return Object.fromEntries(joined)
}
