import { certificateFor } from '../../core/client-certificates.ts'
import type { EgressPolicy } from '../../core/check-type.ts'
import type { Deadline } from '../deadline.ts'
import type { Contact } from '../egress/contact.ts'
import type { Egress, GuardedConnection } from '../egress/egress.ts'
import { readBody } from './http-body.ts'
import { exchangeHead, type ResponseHead } from './http-exchange.ts'
import { mostRedirects, redirectedRequest, redirectTarget, type HttpRequest } from './http-message.ts'
import { addHop, outcomeOf, responseOf, startTrail, type HopEnd, type HttpOutcome, type Trail } from './http-outcome.ts'
import { connectToProxy, needsCredentials, openTunnel, type HttpProxy } from './proxy.ts'
import { portOf, stripBrackets } from '../egress/host-name.ts'
import { TargetError } from '../target-error.ts'
import { secureSocket } from '../tls/tls.ts'

export interface HttpEngine {
  /**
   * Makes one exchange, redirects included, on new sockets. Trouble of the target is in the outcome. Rejects with
   * `RunCancelled`; any other rejection is a bug.
   */
  send(request: HttpRequest, policy: EgressPolicy, deadline: Deadline): Promise<HttpOutcome>
}

export interface HttpEngineOptions {
  egress: Egress
  /** Epoch milliseconds, to state how long a certificate has been expired. */
  now: () => number
  /** Most bytes read of a body, after decompression. */
  bodyLimitBytes?: number
  /** All requests go through it. */
  proxy?: HttpProxy | undefined
  /** Hears of each connection to a target that is tried; of none through a proxy. */
  tried?: ((contact: Contact) => void) | undefined
}

const defaultBodyLimit = 10 * 1024 * 1024

interface Hop {
  request: HttpRequest
  host: string
  port: number
}

const hopOf = (request: HttpRequest): Hop => ({
  request,
  host: stripBrackets(request.url.hostname),
  port: portOf(request.url),
})

type Means = Pick<HttpEngineOptions, 'egress' | 'now' | 'proxy' | 'tried'>

/** Connects to the target, or to a proxy that sends on what is written. */
async function reach(
  { egress, now, proxy, tried }: Means,
  { request, host, port }: Hop,
  { trail, policy, deadline }: Exchange,
): Promise<GuardedConnection> {
  if (proxy === undefined) return egress.connect({ host, port, family: request.family, tried }, policy, deadline)
  const route = { egress, policy, deadline, now, trust: request.trust }
  const connection = await connectToProxy(proxy, { host, port }, route)
  trail.phases.tls += connection.tlsMs
  if (request.url.protocol !== 'https:') return connection
  const askedAt = performance.now()
  await openTunnel(connection.socket, proxy, { host, port }, deadline)
  return { ...connection, tcpMs: connection.tcpMs + performance.now() - askedAt }
}

/** What a hop needs beside its request. */
interface Exchange {
  trail: Trail
  policy: EgressPolicy
  deadline: Deadline
}

/** The socket on which the request of a hop is written. */
async function open(means: Means, hop: Hop, exchange: Exchange) {
  const { request, host, port } = hop
  const { trail, deadline } = exchange
  const connection = await reach(means, hop, exchange)
  trail.phases.dns += connection.dnsMs
  trail.phases.tcp += connection.tcpMs
  if (request.url.protocol !== 'https:') return { connection, socket: connection.socket, tls: undefined }
  const { skipSSL, clientCertificates = [] } = request
  const client = certificateFor(host, clientCertificates)
  const trust = { ...request.trust, ...(client && { client }) }
  // TLS within TLS: only the documented way takes a socket that is none of the operating system.
  const path = means.proxy?.secure ? ('connect' as const) : ('direct' as const)
  const wanted = { host, port, skipSSL, now: means.now, path, trust }
  const secured = await secureSocket(connection.socket, wanted, deadline)
  trail.phases.tls += secured.tlsMs
  trail.certificateNotAfter = secured.facts.notAfter
  return { connection, socket: secured.socket, tls: secured.facts }
}

export function createHttpEngine({ bodyLimitBytes = defaultBodyLimit, ...means }: HttpEngineOptions): HttpEngine {
  /** The request of the next hop, undefined when this one was the last. */
  const take = async (hop: Hop, trail: Trail, policy: EgressPolicy, deadline: Deadline) => {
    const { connection, socket, tls } = await open(means, hop, { trail, policy, deadline })
    try {
      const plainProxy = tls === undefined ? means.proxy : undefined
      const head = await exchangeHead(socket, hop.request, deadline, plainProxy)
      if (plainProxy !== undefined && statusOf(head) === 407) throw needsCredentials(plainProxy)
      trail.phases.firstByte += head.firstByteAt - head.sentAt
      const end: HopEnd = { request: hop.request, connection, tls, head }
      return redirectOf(end) === undefined ? await finish(hop, trail, end, deadline) : redirect(trail, end)
    } finally {
      socket.destroy()
    }
  }

  const finish = async ({ host, port }: Hop, trail: Trail, end: HopEnd, deadline: Deadline): Promise<undefined> => {
    const { message, failure } = end.head
    const body = await readBody(message, { host, port, limitBytes: bodyLimitBytes, failure }, deadline)
    trail.phases.download += body.endedAt - end.head.firstByteAt
    trail.endedAt = body.endedAt
    trail.response = responseOf(trail, end, body)
    if (body.error !== undefined) throw body.error
  }

  return {
    async send(request, policy, deadline) {
      const trail = startTrail()
      try {
        let next: HttpRequest | undefined = request
        while (next !== undefined) {
          addHop(trail, next)
          next = await take(hopOf(next), trail, policy, deadline)
        }
        return outcomeOf(trail, deadline.startedAt)
      } catch (error) {
        if (!(error instanceof TargetError)) throw error
        return outcomeOf(trail, deadline.startedAt, error)
      }
    },
  }
}

const statusOf = (head: ResponseHead): number => head.message.statusCode ?? 0

const redirectOf = ({ request, head }: HopEnd): string | undefined =>
  request.followRedirects ? redirectTarget(statusOf(head), head.message.headers.location) : undefined

function redirect(trail: Trail, end: HopEnd): HttpRequest {
  const location = redirectOf(end) ?? ''
  const { request, head } = end
  trail.endedAt = head.firstByteAt
  trail.response = responseOf(trail, end, undefined)
  if (!URL.canParse(location, request.url.href)) throw badRedirect('REDIRECT_INVALID', `"${location}" is not a URL`)
  const url = withoutCredentials(new URL(location, request.url.href))
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw badRedirect('REDIRECT_INVALID', `${url.protocol} is neither http: nor https:`)
  }
  trail.redirects.push({ status: statusOf(head), location: url.href })
  if (trail.redirects.length > mostRedirects) {
    throw badRedirect('TOO_MANY_REDIRECTS', `more than ${mostRedirects} in a row, the last to ${url.href}`)
  }
  const next = redirectedRequest(request, statusOf(head), url)
  if (trail.visited.has(`${next.method} ${url.href}`)) {
    throw badRedirect('REDIRECT_LOOP', `${url.href} was visited before`)
  }
  return next
}

const badRedirect = (code: string, text: string): TargetError =>
  new TargetError('redirect', code, `the target redirects without end or to nowhere: ${text}`, { network: false })

/** Credentials in a redirect come from the target and not from the user: they are neither sent nor reported. */
function withoutCredentials(url: URL): URL {
  url.username = ''
  url.password = ''
  return url
}
