import { once } from 'node:events'
import { request as requestHttp, type Agent, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Clock } from '@vedette/wire'

const gzipAsync = promisify(gzip)
const gunzipAsync = promisify(gunzip)
const answerLimit = 64 * 1024 * 1024
const compressFrom = 1024

export interface Post {
  url: URL
  agent: Agent
  key: string
  body: string
  /** Compress both directions. Of no use over loopback. */
  compress: boolean
  clock: Clock
  /** Limit of the whole exchange, connecting and reading included. */
  timeoutMs: number
  /** Each of them ends the exchange. */
  signals: readonly AbortSignal[]
}

export interface Answer {
  status: number
  retryAfter: string | undefined
  text: string
}

/** How a message reaches the server. */
export type PostJson = (post: Post) => Promise<Answer>

/** One POST to the server. Rejects when no complete answer arrived; does not follow redirects. */
export async function postJson(post: Post): Promise<Answer> {
  const compressed = post.compress && post.body.length > compressFrom
  const body = compressed ? await gzipAsync(post.body, { level: 4 }) : Buffer.from(post.body)
  try {
    return await exchange(post, body, compressed)
  } catch (error) {
    // A kept-alive connection may close before the server saw the request: it is sent once more on a new connection.
    if (error instanceof StaleConnection) return exchange(post, body, compressed)
    throw error
  }
}

class StaleConnection extends Error {}

async function exchange(post: Post, body: Buffer, compressed: boolean): Promise<Answer> {
  if (post.signals.some(({ aborted }) => aborted)) throw new Error('given up')
  const send = post.url.protocol === 'https:' ? requestHttps : requestHttp
  const request = send(post.url, {
    method: 'POST',
    agent: post.agent,
    headers: {
      authorization: `Bearer ${post.key}`,
      'content-type': 'application/json',
      'content-length': body.length,
      ...(compressed ? { 'content-encoding': 'gzip' } : {}),
      ...(post.compress ? { 'accept-encoding': 'gzip' } : {}),
    },
  })
  // After the answer has begun, the reader of the answer hears of an error; without this listener the process would end.
  request.on('error', () => undefined)
  const abort = () => request.destroy(new Error('given up'))
  const cancelTimer = post.clock.after(post.timeoutMs, () =>
    request.destroy(new Error(`no answer within ${Math.round(post.timeoutMs / 1000)} s`)),
  )
  for (const signal of post.signals) signal.addEventListener('abort', abort)
  try {
    request.end(body)
    const response = await firstByte(request)
    return await readAnswer(response)
  } finally {
    cancelTimer()
    for (const signal of post.signals) signal.removeEventListener('abort', abort)
  }
}

async function firstByte(request: ReturnType<typeof requestHttp>): Promise<IncomingMessage> {
  try {
    const [response]: IncomingMessage[] = await once(request, 'response')
    if (response === undefined) throw new Error('no answer')
    return response
  } catch (error) {
    if (request.reusedSocket && isReset(error)) throw new StaleConnection('connection was closed', { cause: error })
    throw error
  }
}

const isReset = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > answerLimit) throw new Error(`the answer is larger than ${answerLimit} bytes`)
    chunks.push(chunk)
  }
  const raw = Buffer.concat(chunks)
  const plain =
    response.headers['content-encoding'] === 'gzip' ? await gunzipAsync(raw, { maxOutputLength: answerLimit }) : raw
  return {
    status: response.statusCode ?? 0,
    retryAfter: response.headers['retry-after'],
    text: plain.toString('utf8'),
  }
}
