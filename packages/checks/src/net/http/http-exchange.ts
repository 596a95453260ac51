import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Deadline } from '../deadline.ts'
import type { HttpRequest } from './http-message.ts'
import type { HttpProxy } from './proxy.ts'
import { portOf, stripBrackets } from '../egress/host-name.ts'
import { headTrouble, maxHeaderSize } from './http-trouble.ts'
import { formatEndpoint, formatLimit, TargetError } from '../target-error.ts'

/** A response head, and when it came: `performance.now()` of the request's last byte out and the first byte in. */
export interface ResponseHead {
  message: IncomingMessage
  sentAt: number
  firstByteAt: number
  /** What went wrong with the exchange since: the message itself only tells that it was cut off. */
  failure: () => Error | undefined
}

type ToProxy = Pick<HttpProxy, 'authorization'>

/** Interim answers (100, 102, 103) before the one that counts, and headers of that. Honest targets send a few. */
const mostInterim = 100
const mostHeaders = 2000

const withLength = new Set(['POST', 'PUT', 'PATCH'])
const ours = new Set(['content-length', 'connection'])

/** Headers as sent, in order. Content-Length and Connection are set here: wrong ones would make the exchange hang. */
function headersToSend({ url, headers, body, method }: HttpRequest, proxy: ToProxy | undefined): [string, string][] {
  const names = new Set(headers.map(([name]) => name.toLowerCase()))
  const sent: [string, string][] = names.has('host') ? [] : [['Host', url.host]]
  for (const [name, value] of headers) if (!ours.has(name.toLowerCase())) sent.push([name, value])
  if (!names.has('transfer-encoding') && (body !== undefined || withLength.has(method))) {
    sent.push(['Content-Length', String(body?.length ?? 0)])
  }
  sent.push(['Connection', 'close'])
  if (proxy?.authorization === undefined) return sent
  const own = sent.filter(([name]) => name.toLowerCase() !== 'proxy-authorization')
  return [...own, ['Proxy-Authorization', proxy.authorization]]
}

function openRequest(socket: Socket, request: HttpRequest, proxy: ToProxy | undefined): ClientRequest {
  const { url, method } = request
  const path = `${url.pathname}${url.search}`
  try {
    return httpRequest({
      createConnection: () => socket,
      host: stripBrackets(url.hostname),
      method,
      path: proxy === undefined ? path : `${url.origin}${path}`,
      // The typings allow pairs only as a flat list; Node accepts both.
      headers: headersToSend(request, proxy).flat(),
      setHost: false,
      maxHeaderSize,
    })
  } catch (error) {
    socket.destroy()
    const text = error instanceof Error ? error.message : String(error)
    throw new TargetError('request', 'INVALID_REQUEST', `the request cannot be sent: ${text}`, { network: false })
  }
}

/**
 * Sends a request on a connected socket and waits for the response head. The socket cannot be used again. `proxy`: the socket
 * leads to a proxy, which sends the request on.
 */
export async function exchangeHead(
  socket: Socket,
  request: HttpRequest,
  deadline: Deadline,
  proxy?: ToProxy,
): Promise<ResponseHead> {
  const startedAt = performance.now()
  const { url } = request
  const peer = formatEndpoint(stripBrackets(url.hostname), portOf(url))
  const sending = openRequest(socket, request, proxy)
  // Node would leave out without a word what is beyond its own limit.
  sending.maxHeadersCount = 0
  let interim = 0
  let firstByteAt: number | undefined
  let sentAt: number | undefined
  let failure: Error | undefined
  socket.once('data', () => (firstByteAt = performance.now()))
  sending.once('finish', () => (sentAt = performance.now()))
  return await deadline.during<ResponseHead>({
    start(succeed, fail) {
      const onHead = (message: IncomingMessage) => {
        const now = performance.now()
        // A body that is not read (of a redirect) is cut off. The resulting error is ignored.
        message.on('error', () => undefined)
        const status = message.statusCode ?? 0
        if (status < 100) return fail(invalidStatus(status, peer))
        if (message.rawHeaders.length > 2 * mostHeaders) return fail(tooManyHeaders(peer))
        const first = firstByteAt ?? now
        succeed({
          message,
          firstByteAt: first,
          sentAt: Math.min(sentAt ?? startedAt, first),
          failure: () => failure,
        })
      }
      sending.on('information', () => {
        interim += 1
        if (interim > mostInterim) fail(tooManyInterim(peer))
      })
      sending.once('response', onHead)
      sending.once('upgrade', (message: IncomingMessage) => {
        onHead(message)
        message.push(null)
      })
      // Stays for the life of the request: errors after the head come through the body's reader.
      sending.on('error', (error) => {
        failure ??= error
        fail(headTrouble(error, peer, firstByteAt !== undefined))
      })
      sending.end(request.body)
    },
    stop: () => sending.destroy(),
    timedOut: () =>
      new TargetError(
        'firstByte',
        'ETIMEDOUT',
        firstByteAt === undefined
          ? `connected to ${peer}, but no answer within ${formatLimit(deadline.limitMs)}`
          : `the response headers of ${peer} were not complete within ${formatLimit(deadline.limitMs)}`,
      ),
  })
}

/** The parser takes any three digits. An invalid status must not count as one below 400. */
const invalidStatus = (status: number, peer: string): TargetError =>
  new TargetError('firstByte', 'INVALID_STATUS', `the answer of ${peer} is not valid HTTP: its status is ${status}`)

const tooManyHeaders = (peer: string): TargetError =>
  new TargetError('firstByte', 'TOO_MANY_HEADERS', `the response of ${peer} has more than ${mostHeaders} headers`)

const tooManyInterim = (peer: string): TargetError =>
  new TargetError(
    'firstByte',
    'TOO_MANY_INTERIM',
    `${peer} sent more than ${mostInterim} interim answers (status 100 to 199) and none that counts`,
  )
