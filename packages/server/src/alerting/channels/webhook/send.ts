import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { guardedConnect, guardedTlsConnect, RunCancelled, TargetError } from '@vedette/checks/net'
import type { SendContext, SendOutcome } from '../channel-kind.ts'
import { retryAfterMs } from './retry-after.ts'
import type { RenderedWebhook } from './render.ts'

/** Limit for the whole delivery, from the DNS look-up to the end of the answer. */
export const webhookLimitMs = 10_000
const responseBytes = 16_384

/** Sends one request over a new guarded socket. Redirects are not followed. */
export async function sendWebhook(webhook: RenderedWebhook, context: SendContext): Promise<SendOutcome> {
  const over = new AbortController()
  const stop = () => over.abort()
  const cancel = context.clock.after(webhookLimitMs, stop)
  context.signal?.addEventListener('abort', stop, { once: true })
  try {
    return judge(await exchange(webhook, context, over.signal), webhook, context)
  } catch (error) {
    return failure(error, over.signal, context)
  } finally {
    cancel()
    context.signal?.removeEventListener('abort', stop)
  }
}

interface Answer {
  status: number
  headers: IncomingMessage['headers']
  body: string
}

async function exchange(webhook: RenderedWebhook, { egress }: SendContext, signal: AbortSignal): Promise<Answer> {
  const { url } = webhook
  const secure = url.protocol === 'https:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port)
  const open = secure ? guardedTlsConnect : guardedConnect
  const socket = await open(host, port, egress, { signal, limitMs: webhookLimitMs })
  try {
    return await talk(socket, webhook, signal)
  } finally {
    socket.destroy()
  }
}

function talk(socket: Socket, webhook: RenderedWebhook, signal: AbortSignal): Promise<Answer> {
  const { url, method, headers, body } = webhook
  const bytes = body === undefined ? undefined : Buffer.from(body, 'utf8')
  const request = httpRequest({
    createConnection: () => socket,
    method,
    path: `${url.pathname}${url.search}`,
    setHost: false,
    headers: {
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
  return new Promise<Answer>((resolve, reject) => {
    request.once('error', reject)
    request.once('response', (response) => void readAnswer(response).then(resolve, reject))
    if (signal.aborted) abort(request)
    signal.addEventListener('abort', () => abort(request), { once: true })
    request.end(bytes)
  })
}

const abort = (request: ClientRequest): void => void request.destroy(new Error('cancelled'))

/** Reads no more of the answer than the ledger stores. */
async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part)
    length += part.length
    if (length >= responseBytes) break
  }
  const body = Buffer.concat(parts).subarray(0, responseBytes).toString('utf8')
  return { status: response.statusCode ?? 0, headers: response.headers, body }
}

function judge({ status, headers, body }: Answer, { method }: RenderedWebhook, { clock }: SendContext): SendOutcome {
  if (status >= 200 && status < 300) return { accepted: true, status, response: body }
  if (status >= 300 && status < 400) {
    const response = `Answered ${status} to ${method}: redirects are not followed, set the final URL.`
    return { accepted: false, retryable: false, status, response }
  }
  const refused = {
    accepted: false,
    retryable: true,
    status,
    response: body === '' ? `Answered ${status}.` : body,
  } as const
  if (status !== 429) return refused
  const wait = retryAfterMs(headers['retry-after'], clock.now())
  return { ...refused, rateLimited: wait === undefined ? {} : { retryAfterMs: wait } }
}

function failure(error: unknown, signal: AbortSignal, { signal: stopped }: SendContext): SendOutcome {
  const failed = { accepted: false, retryable: true } as const
  if (stopped?.aborted) return { ...failed, response: 'Interrupted by a stop of the server.' }
  if (signal.aborted || error instanceof RunCancelled) {
    return { ...failed, response: `No complete answer within ${webhookLimitMs / 1000} s.` }
  }
  const text = error instanceof Error ? error.message : String(error)
  // A denied target stays denied: no retry.
  const denied = error instanceof TargetError && error.code === 'EGRESS_DENIED'
  return { accepted: false, retryable: !denied, response: text }
}
