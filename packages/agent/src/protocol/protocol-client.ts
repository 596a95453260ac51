import type { Agent as HttpAgent } from 'node:http'
import {
  agentPaths,
  helloResponse,
  leaseResponse,
  planResponse,
  renewResponse,
  resultsResponse,
  type Clock,
  type DiagnosticsRequest,
  type GoodbyeRequest,
  type HelloRequest,
  type HelloResponse,
  type LeaseRequest,
  type PlanRequest,
  type ReleaseRequest,
  type RenewRequest,
  type RenewResponse,
  type ResultsResponse,
} from '@vedette/wire'
import type { z } from 'zod'
import { createClockOffset, noOffset, type ClockOffset } from './clock-offset.ts'
import { postJson, type PostJson } from './post-json.ts'
import { problemOf, ProtocolProblem } from './protocol-problem.ts'
import { isThisMachine } from './proxy-for.ts'
import { connectionsTo } from './server-connections.ts'

export interface ClientOptions {
  url: string
  key: string
  /** Proxy through which the server is reached. */
  proxy?: string | undefined
  clock: Clock
  /** Longest wait for an answer that is not a long poll. */
  timeoutMs?: number
  /** Both are on one machine, so that there is no offset to measure. */
  sharesServerClock?: boolean
  /** Compress bodies. By default they are compressed unless the server is on this machine. */
  compress?: boolean
  /** Sends the messages; over HTTP by default. */
  post?: PostJson
}

export type PlanPart = NonNullable<z.infer<typeof planResponse>['plan']>

interface Call<T> {
  path: keyof typeof agentPaths
  body: string
  schema: z.ZodType<T> | undefined
  timeoutMs: number
  signals: readonly AbortSignal[]
}

/** Renewals are short: a server that takes longer is not there. */
const renewLimitMs = 5000
/** Time after its end in which the answer of a long poll arrives. */
const pollMarginMs = 5000
/** A proxy that takes longer to open a tunnel is given up. */
const tunnelLimitMs = 5000
/** When the agent stops, its last words must not keep it from leaving. */
const farewellLimitMs = 3000

/** The agent's side of the protocol. Every method rejects with a `ProtocolProblem` and nothing else. */
export class ProtocolClient {
  readonly offset: ClockOffset
  readonly #options: ClientOptions
  readonly #agent: HttpAgent
  readonly #compress: boolean
  readonly #timeoutMs: number

  constructor(options: ClientOptions) {
    const url = new URL(options.url)
    this.#options = options
    this.offset = options.sharesServerClock ? noOffset : createClockOffset(options.clock)
    this.#compress = options.compress ?? !isThisMachine(url.hostname)
    this.#timeoutMs = options.timeoutMs ?? 15_000
    const limitMs = Math.min(this.#timeoutMs, tunnelLimitMs)
    this.#agent = connectionsTo(url, { proxy: options.proxy, limitMs })
  }

  hello(
    request: HelloRequest,
    { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
  ): Promise<HelloResponse> {
    return this.#timed({ ...this.#call('hello', request, timeoutMs), schema: helloResponse, signals: [signal] })
  }

  /** The jobs unparsed: the caller parses them one by one, so that one bad job does not lose the others. */
  async lease(request: LeaseRequest, signals: readonly AbortSignal[]): Promise<unknown[]> {
    const call = this.#call('lease', request, request.waitMs + pollMarginMs)
    return (await this.#post({ ...call, schema: leaseResponse, signals })).jobs
  }

  /** Long lists go in several messages, so that none exceeds what a server reads. */
  async renew(request: RenewRequest, signals: readonly AbortSignal[]): Promise<RenewResponse> {
    const [first = [], ...more] = partsOf(request.leases)
    const answer = await this.#renew({ ...request, leases: first }, signals)
    const { crashes: _, ...rest } = request
    for (const leases of more) {
      const { serverTime, cancelled } = await this.#renew({ ...rest, leases }, signals)
      answer.serverTime = serverTime
      answer.cancelled.push(...cancelled)
    }
    return answer
  }

  /** A part of the plan, its checks unparsed; null when the server has none for this key. */
  async plan(request: PlanRequest, signals: readonly AbortSignal[]): Promise<PlanPart | null> {
    const call = this.#call('plan', request, this.#timeoutMs)
    return (await this.#post({ ...call, schema: planResponse, signals })).plan
  }

  /** The body is text, because the probe threads have already serialised its reports. */
  results(body: string, signals: readonly AbortSignal[]): Promise<ResultsResponse> {
    return this.#post({ path: 'results', body, timeoutMs: this.#timeoutMs, schema: resultsResponse, signals })
  }

  async diagnostics(request: DiagnosticsRequest, signals: readonly AbortSignal[]): Promise<void> {
    await this.#post({ ...this.#call('diagnostics', request, this.#timeoutMs), schema: undefined, signals })
  }

  async release(request: ReleaseRequest): Promise<void> {
    for (const leases of partsOf(request.leases)) {
      await this.#post({ ...this.#call('release', { ...request, leases }, farewellLimitMs), schema: undefined })
    }
  }

  async goodbye(request: GoodbyeRequest): Promise<void> {
    await this.#post({ ...this.#call('goodbye', request, farewellLimitMs), schema: undefined })
  }

  /** Closes the connections that no call uses. After one was silent the others are likely to be as well. */
  dropIdle(): void {
    for (const sockets of Object.values(this.#agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy()
  }

  close(): void {
    this.#agent.destroy()
  }

  #renew(request: RenewRequest, signals: readonly AbortSignal[]): Promise<RenewResponse> {
    return this.#timed({ ...this.#call('renew', request, renewLimitMs), schema: renewResponse, signals })
  }

  #call(path: keyof typeof agentPaths, body: unknown, timeoutMs: number): Omit<Call<never>, 'schema'> {
    return { path, body: JSON.stringify(body), timeoutMs, signals: [] }
  }

  async #timed<T extends { serverTime: number }>(call: Call<T>): Promise<T> {
    const { clock } = this.#options
    const sentAt = clock.monotonic()
    const answer = await this.#post(call)
    this.offset.observe(sentAt, clock.monotonic(), answer.serverTime)
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
      clock: this.#options.clock,
      timeoutMs: call.timeoutMs,
      signals: call.signals,
    }).catch((error: unknown) => {
      throw new ProtocolProblem('away', `${this.#options.url} cannot be reached: ${reasonOf(error)}`)
    })
    if (answer.status < 200 || answer.status > 299) throw problemOf(answer.status, answer.text, answer.retryAfter)
    return readBody(answer.text, call.schema)
  }
}

/** A lease is a text of about 600 characters and a server reads 1 MiB at once. */
const leasesAtOnce = 1000

const partsOf = (leases: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(leases.length / leasesAtOnce) }, (_, part) =>
    leases.slice(part * leasesAtOnce, (part + 1) * leasesAtOnce),
  )

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

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}
