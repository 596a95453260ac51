import { agentProtocolVersion, type Clock, type HelloRequest, type HelloResponse } from '@vedette/wire'
import { backOffMs } from './back-off.ts'
import type { Log } from '../log.ts'
import type { ProtocolClient } from './protocol-client.ts'
import { ProtocolProblem } from './protocol-problem.ts'
import { sleep } from '../sleep.ts'
import { Waiters } from '../waiters.ts'

export interface ConnectionOptions {
  client: ProtocolClient
  /** Called for every hello, which lists what the agent holds at that moment. */
  hello(): HelloRequest
  clock: Clock
  random: () => number
  log: Log
  /** Wait after the key or the protocol version was refused, which only a person can correct. */
  deniedRetryMs?: number
}

/** Keeps the agent connected: sends hello until it is answered, and again whenever a call fails. */
export class Connection {
  readonly #options: ConnectionOptions
  readonly #stop = new AbortController()
  readonly #listeners: ((terms: HelloResponse) => void)[] = []
  readonly #waiters = new Waiters()
  #terms: HelloResponse | undefined
  #break: ((problem: ProtocolProblem) => void) | undefined
  #failures = 0
  #lastProblem: string | undefined
  #running: Promise<void> | undefined

  constructor(options: ConnectionOptions) {
    this.#options = options
  }

  /** What the server answered to hello; undefined while it is away. */
  get terms(): HelloResponse | undefined {
    return this.#terms
  }

  onReady(listener: (terms: HelloResponse) => void): void {
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
  async ready(signal: AbortSignal): Promise<HelloResponse | undefined> {
    while (this.#terms === undefined && !signal.aborted && !this.#stop.signal.aborted) await this.#waiters.wait(signal)
    return signal.aborted ? undefined : this.#terms
  }

  /** Reports a failed call: after a while hello is sent again. */
  lost(problem: ProtocolProblem): void {
    this.#break?.(problem)
  }

  /** Reports a successful call: the back-off begins anew with the next failure. */
  confirm(): void {
    this.#failures = 0
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const problem = await this.#session()
      if (this.#stop.signal.aborted) return
      this.#tell(problem)
      await sleep(this.#options.clock, this.#waitMs(problem), this.#stop.signal)
      this.#failures += 1
    }
  }

  /** Lasts from a hello to the loss of the connection, and answers its cause. */
  async #session(): Promise<ProtocolProblem> {
    try {
      const terms = await this.#options.client.hello(this.#options.hello(), this.#stop.signal)
      const broken = new Promise<ProtocolProblem>((resolve) => (this.#break = resolve))
      this.#terms = terms
      this.#welcome(terms)
      return await broken
    } catch (error) {
      return asProblem(error)
    } finally {
      this.#terms = undefined
      this.#break = undefined
    }
  }

  #welcome(terms: HelloResponse): void {
    const { log } = this.#options
    this.#lastProblem = undefined
    log.info({ locations: terms.locations, protocol: terms.protocol }, 'connected')
    if (terms.protocol !== agentProtocolVersion) {
      log.warn({ server: terms.protocol, agent: agentProtocolVersion }, 'the server speaks another protocol version')
    }
    if (terms.locations.length === 0) log.warn('this key serves no location now: other agents serve them all')
    this.#waiters.wake()
    for (const listener of this.#listeners) listener(terms)
  }

  /** A server that does not lead names a short wait, so that its agent works soon after it has taken over. */
  #waitMs(problem: ProtocolProblem): number {
    const { random, deniedRetryMs = 60_000 } = this.#options
    if (problem.kind !== 'away') return deniedRetryMs * (0.75 + random() / 2)
    return problem.retryAfterMs === undefined
      ? backOffMs(this.#failures, random)
      : problem.retryAfterMs * (1 + random() / 4)
  }

  #tell(problem: ProtocolProblem): void {
    if (problem.message === this.#lastProblem) return
    this.#lastProblem = problem.message
    const { log } = this.#options
    if (problem.kind === 'away') log.warn(`the server is away: ${problem.message}; trying again`)
    else if (problem.kind === 'denied') log.error(`the server does not accept this location key: ${problem.message}`)
    else log.error(`the server does not accept this agent: ${problem.message}`)
  }
}

export const asProblem = (error: unknown): ProtocolProblem =>
  error instanceof ProtocolProblem ? error : new ProtocolProblem('away', String(error))
