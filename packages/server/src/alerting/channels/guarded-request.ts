import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { EgressPolicy } from '@vedette/checks'
import { basicAuthorization, credentialsOf, guardedConnect, guardedTlsConnect } from '@vedette/checks/net'

/** One request. Header names are lower case. */
export interface GuardedRequest {
  url: URL
  method: string
  headers: Record<string, string>
  body: string | undefined
}

export interface GuardedAnswer {
  status: number
  headers: IncomingMessage['headers']
  /** Its first 16 KiB, or as much as was asked for. */
  body: string
}

const responseBytes = 16_384

interface RequestLimits {
  egress: EgressPolicy
  signal: AbortSignal
  limitMs: number
  /** How much of the answer is read; 16 KiB unless stated. */
  bytes?: number
}

/** Sends one request over a new guarded socket and reads the answer. Redirects are not followed. */
export async function requestGuarded(
  request: GuardedRequest,
  { egress, signal, limitMs, bytes = responseBytes }: RequestLimits,
): Promise<GuardedAnswer> {
  const { url } = request
  const secure = url.protocol === 'https:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port)
  const open = secure ? guardedTlsConnect : guardedConnect
  const socket = await open(host, port, egress, { signal, limitMs })
  try {
    return await talk(socket, request, { signal, bytes })
  } finally {
    socket.destroy()
  }
}

function talk(
  socket: Socket,
  asked: GuardedRequest,
  { signal, bytes: most }: { signal: AbortSignal; bytes: number },
): Promise<GuardedAnswer> {
  const { url, method, headers, body } = asked
  const bytes = body === undefined ? undefined : Buffer.from(body, 'utf8')
  const request = httpRequest({
    createConnection: () => socket,
    method,
    path: `${url.pathname}${url.search}`,
    setHost: false,
    headers: {
      ...signedInBy(url),
      ...headers,
      host: url.host,
      connection: 'close',
      ...(bytes
        ? { 'content-length': String(bytes.length) }
        : method === 'GET' || method === 'HEAD'
          ? {}
          : { 'content-length': '0' }),
    },
  })
  return new Promise<GuardedAnswer>((resolve, reject) => {
    request.once('error', reject)
    request.once('response', (response) => void readAnswer(response, most).then(resolve, reject))
    if (signal.aborted) abort(request)
    signal.addEventListener('abort', () => abort(request), { once: true })
    request.end(bytes)
  })
}

/** Signs in with user and password of the address. */
function signedInBy(url: URL): { authorization?: string } {
  const credentials = credentialsOf(url)
  return credentials === undefined ? {} : { authorization: basicAuthorization(credentials) }
}

const abort = (request: ClientRequest): void => void request.destroy(new Error('cancelled'))

/** Reads no more of the answer than the ledger stores. */
async function readAnswer(response: IncomingMessage, most: number): Promise<GuardedAnswer> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part)
    length += part.length
    if (length >= most) break
  }
  const body = Buffer.concat(parts).subarray(0, most).toString('utf8')
  return { status: response.statusCode ?? 0, headers: response.headers, body }
}
