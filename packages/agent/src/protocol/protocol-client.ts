import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import {
  agentPaths,
  helloResponse,
  leaseResponse,
  renewResponse,
  resultsResponse,
  type Clock,
  type GoodbyeRequest,
  type HelloRequest,
  type HelloResponse,
  type LeaseRequest,
  type ReleaseRequest,
  type RenewRequest,
  type RenewResponse,
  type ResultsResponse,
} from '@vedette/wire'
import type { z } from 'zod'
import { createClockOffset, type ClockOffset } from './clock-offset.ts'
import { postJson, type PostJson } from './post-json.ts'
import { problemOf, ProtocolProblem } from './protocol-problem.ts'

export interface ClientOptions {
  url: string
  key: string
  clock: Clock
  /** Longest wait for an answer that is not a long poll. */
  timeoutMs?: number
  /** Compress bodies. By default they are compressed unless the server is on this machine. */
  compress?: boolean
  /** Sends the messages; over HTTP by default. */
  post?: PostJson
}

interface Call<T> {
  path: keyof typeof agentPaths
  body: string
  schema: z.ZodType<T> | undefined
  timeoutMs: number
  signal?: AbortSignal
}

/** The agent's side of the protocol. Every method rejects with a `ProtocolProblem` and nothing else. */
export class ProtocolClient {
  readonly offset: ClockOffset = createClockOffset()
  readonly #options: ClientOptions
  readonly #agent: HttpAgent
  readonly #compress: boolean
  readonly #timeoutMs: number

  constructor(options: ClientOptions) {
    const url = new URL(options.url)
    this.#options = options
    this.#agent = new (url.protocol === 'https:' ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: 24 })
    this.#compress = options.compress ?? !isLoopback(url.hostname)
    this.#timeoutMs = options.timeoutMs ?? 15_000
  }

  hello(request: HelloRequest, signal?: AbortSignal): Promise<HelloResponse> {
    return this.#timed({ ...this.#call('hello', request), schema: helloResponse, signal })
  }

  /** The jobs unparsed: the caller parses them one by one, so that one bad job does not lose the others. */
  async lease(request: LeaseRequest, signal?: AbortSignal): Promise<unknown[]> {
    const call = { ...this.#call('lease', request), timeoutMs: this.#timeoutMs + request.waitMs }
    return (await this.#post({ ...call, schema: leaseResponse, signal })).jobs
  }

  renew(request: RenewRequest, signal?: AbortSignal): Promise<RenewResponse> {
    return this.#timed({ ...this.#call('renew', request), schema: renewResponse, signal })
  }

  /** The body is text, because the probe threads have already serialised its reports. */
  results(body: string): Promise<ResultsResponse> {
    return this.#post({ path: 'results', body, timeoutMs: this.#timeoutMs, schema: resultsResponse })
  }

  async release(request: ReleaseRequest): Promise<void> {
    await this.#post({ ...this.#call('release', request), schema: undefined })
  }

  async goodbye(request: GoodbyeRequest): Promise<void> {
    await this.#post({ ...this.#call('goodbye', request), schema: undefined })
  }

  close(): void {
    this.#agent.destroy()
  }

  #call(path: keyof typeof agentPaths, body: unknown): Omit<Call<never>, 'schema'> {
    return { path, body: JSON.stringify(body), timeoutMs: this.#timeoutMs }
  }

  async #timed<T extends { serverTime: number }>(call: Call<T>): Promise<T> {
    const sentAt = this.#options.clock.now()
    const answer = await this.#post(call)
    this.offset.observe(sentAt, this.#options.clock.now(), answer.serverTime)
    return answer
  }

  async #post<T>(call: Call<T>): Promise<T> {
    const { post = postJson } = this.#options
    const answer = await post({
      url: serverPath(this.#options.url, agentPaths[call.path]),
      agent: this.#agent,
      key: this.#options.key,
      body: call.body,
      compress: this.#compress,
      timeoutMs: call.timeoutMs,
      signal: call.signal,
    }).catch((error: unknown) => {
      throw new ProtocolProblem('away', `${this.#options.url} cannot be reached: ${reasonOf(error)}`)
    })
    if (answer.status < 200 || answer.status > 299) throw problemOf(answer.status, answer.text, answer.retryAfter)
    return readBody(answer.text, call.schema)
  }
}

function readBody<T>(text: string, schema: z.ZodType<T> | undefined): T {
  if (schema === undefined) return undefined as T
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (error) {
    throw new ProtocolProblem('away', `the answer is not JSON (${reasonOf(error)}): is this address a Vedette server?`)
  }
  const read = schema.safeParse(body)
  if (!read.success) throw new ProtocolProblem('away', `the answer is not as agreed: ${read.error.message}`)
  return read.data
}

/** Keeps the path of the server's address, for servers behind a path prefix. */
function serverPath(base: string, path: string): URL {
  const url = new URL(base)
  url.pathname = url.pathname.replace(/\/+$/, '') + path
  return url
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '[::1]' || host.startsWith('127.')

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}
