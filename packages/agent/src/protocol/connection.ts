import { agentProtocolVersion, type Clock, type HelloRequest, type HelloResponse } from '@vedette/wire'
import { backOffMs } from './back-off.ts'
import type { Log } from '../log.ts'
import type { ProtocolClient } from './protocol-client.ts'
import { ProtocolProblem, type ProblemKind } from './protocol-problem.ts'
import { sleep } from '../sleep.ts'
import { Waiters } from '../waiters.ts'

export interface ConnectionOptions {
  client: ProtocolClient
  /** Called for every hello, which lists what the agent holds at that moment. */
  hello(): HelloRequest
  clock: Clock
  random: () => number
  log: Log
  /** Longest wait after the key or the protocol version was refused, which only a person can correct. */
  deniedRetryMs?: number
}

/** From a hello that was answered to the first call that fails. Calls belong to the session they began in. */
export interface Session {
  readonly terms: HelloResponse
  /** Aborts with the session. */
  readonly ended: AbortSignal
  /** Aborts with the session when it ended in silence: other calls of it will get no answer either. */
  readonly silent: AbortSignal
}

/** So that a new leader is found within three seconds, however long there was none. */
const longestBackOffMs = 2000
const firstDeniedRetryMs = 1000
const helloLimitMs = { first: 5000, longest: 15_000 }

/** Keeps the agent connected: sends hello until it is answered, and again whenever a call fails. */
export class Connection {
  readonly #options: ConnectionOptions
  readonly #stop = new AbortController()
  readonly #listeners: (() => void)[] = []
  readonly #waiters = new Waiters()
  #session: Session | undefined
  #break: ((problem: ProtocolProblem) => void) | undefined
  /** Problems of one kind in a row. */
  #failures: { kind: ProblemKind | undefined; count: number } = { kind: undefined, count: 0 }
  #lastProblem: string | undefined
  #answeredAt: number | undefined
  #isDenied = false
  #running: Promise<void> | undefined

  constructor(options: ConnectionOptions) {
    this.#options = options
  }

  /** Undefined while the server is away. */
  get session(): Session | undefined {
    return this.#session
  }

  /** When a call was last answered as agreed, monotonic; undefined before the first. */
  get answeredAt(): number | undefined {
    return this.#answeredAt
  }

  /** Whether the server itself has refused the key since it last took one. */
  get isDenied(): boolean {
    return this.#isDenied
  }

  onReady(listener: () => void): void {
    this.#listeners.push(listener)
  }

  start(): void {
    this.#running ??= this.#run()
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    this.#break?.(new ProtocolProblem('away', 'stopping'))
    this.#waiters.wake()
    await this.#running
  }

  /** Waits for the server; undefined when the signal aborts or the connection is stopped first. */
  async ready(signal: AbortSignal): Promise<Session | undefined> {
    while (this.#session === undefined && !signal.aborted && !this.#stop.signal.aborted) {
      await this.#waiters.wait(signal)
    }
    return signal.aborted ? undefined : this.#session
  }

  /** Reports a call that failed in a session: after a while hello is sent again. Ignored when that session is over. */
  lost(session: Session, problem: ProtocolProblem): void {
    if (session === this.#session) this.#break?.(problem)
  }

  /** Reports a successful call: the back-off begins anew with the next failure. */
  confirm(): void {
    this.#answeredAt = this.#options.clock.monotonic()
    this.#failures = { kind: undefined, count: 0 }
    if (this.#lastProblem !== undefined) this.#options.log.info('the server takes calls again')
    this.#lastProblem = undefined
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const problem = await this.#connect()
      if (this.#stop.signal.aborted) return
      this.#tell(problem)
      this.#isDenied ||= problem.kind === 'denied' && problem.isServers
      const { kind, count } = this.#failures
      this.#failures = { kind: problem.kind, count: kind === problem.kind ? count + 1 : 0 }
      await sleep(this.#options.clock, this.#waitMs(problem), this.#stop.signal)
    }
  }

  /** Lasts from a hello to the loss of the connection, and answers its cause. */
  async #connect(): Promise<ProtocolProblem> {
    const { client } = this.#options
    const silences = this.#failures.kind === 'away' ? this.#failures.count : 0
    const timeoutMs = Math.min(helloLimitMs.longest, helloLimitMs.first * (1 + silences))
    try {
      const terms = await client.hello(this.#options.hello(), { signal: this.#stop.signal, timeoutMs })
      return await this.#hold(terms)
    } catch (error) {
      const problem = asProblem(error)
      if (problem.kind === 'away') client.dropIdle()
      return problem
    }
  }

  async #hold(terms: HelloResponse): Promise<ProtocolProblem> {
    const [ended, silent] = [new AbortController(), new AbortController()]
    const broken = new Promise<ProtocolProblem>((resolve) => (this.#break = resolve))
    this.#session = { terms, ended: ended.signal, silent: silent.signal }
    this.#answeredAt = this.#options.clock.monotonic()
    this.#isDenied = false
    this.#welcome(terms)
    const problem = await broken
    this.#session = undefined
    this.#break = undefined
    ended.abort()
    if (problem.kind === 'away' && !this.#stop.signal.aborted) {
      silent.abort()
      this.#options.client.dropIdle()
    }
    return problem
  }

  #welcome(terms: HelloResponse): void {
    const { log } = this.#options
    // While a server greets and then refuses all calls, nobody wants to read it every second.
    const level = this.#lastProblem === undefined ? 'info' : 'debug'
    log[level]({ locations: terms.locations, protocol: terms.protocol }, 'connected')
    if (terms.protocol !== agentProtocolVersion) {
      log.warn({ server: terms.protocol, agent: agentProtocolVersion }, 'the server speaks another protocol version')
    }
    if (terms.locations.length === 0) log.warn('this key serves no location now: other agents serve them all')
    this.#waiters.wake()
    for (const listener of this.#listeners) listener()
  }

  #waitMs({ kind, retryAfterMs }: ProtocolProblem): number {
    const { random, deniedRetryMs = 60_000 } = this.#options
    const { count } = this.#failures
    if (kind === 'denied' || kind === 'rejected') {
      return Math.min(deniedRetryMs, firstDeniedRetryMs * 2 ** Math.min(count, 16)) * (0.75 + random() / 2)
    }
    if (retryAfterMs !== undefined) return retryAfterMs * (1 + random() / 4)
    return backOffMs(count, random, longestBackOffMs)
  }

  #tell({ kind, message }: ProtocolProblem): void {
    if (message === this.#lastProblem) return
    this.#lastProblem = message
    const { log } = this.#options
    if (kind === 'away') log.warn(`the server is away: ${message}; trying again`)
    else if (kind === 'busy') log.warn(`the server takes no calls now: ${message}; trying again`)
    else if (kind === 'denied') log.error(`the server does not accept this location key: ${message}`)
    else log.error(`the server does not accept this agent: ${message}`)
  }
}

export const asProblem = (error: unknown): ProtocolProblem =>
  error instanceof ProtocolProblem ? error : new ProtocolProblem('away', String(error))
