import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks'
import { workerClasses, systemClock, type Clock, type Job } from '@vedette/wire'
import { abilitiesOf, type Abilities } from './execution/abilities.ts'
import { readJob, unableToRun } from './execution/admit-job.ts'
import { helloOf, renewalOf, type Crash } from './protocol/announce.ts'
import type { AgentSettings } from './config.ts'
import { Connection } from './protocol/connection.ts'
import { Delivery } from './delivery/delivery.ts'
import { serveHealth, type Health, type HealthServer } from './health-server.ts'
import { leaseJobs } from './protocol/lease-loop.ts'
import type { Log } from './log.ts'
import { openSpool } from './delivery/open-spool.ts'
import { ProbePool, type Execution, type ProbePoolOptions } from './execution/probe-pool.ts'
import type { PostJson } from './protocol/post-json.ts'
import { ProtocolClient } from './protocol/protocol-client.ts'
import { renewLeases } from './protocol/renew-loop.ts'
import { finishedRun, type FinishedRun } from './delivery/report-text.ts'
import { aborted, sleep } from './sleep.ts'
import { Capacity } from './execution/capacity.ts'
import type { Spool } from './delivery/spool.ts'

export interface AgentParts {
  log: Log
  clock?: Clock
  random?: () => number
  /** Entry of the probe threads. */
  threadEntry?: URL
  /** Pause after the key was refused. */
  deniedRetryMs?: number
  /** Time after its own limit at which a run is given up, in milliseconds. */
  overdueGraceMs?: number
  /** Sends messages to the server; over HTTP by default. */
  post?: PostJson
  /** Runs the jobs; in probe threads by default. */
  execution?: (options: ProbePoolOptions) => Execution
  /** Measures how long the main thread stands still. */
  loopDelay?: LoopDelay
}

type LoopDelay = Pick<IntervalHistogram, 'max' | 'enable' | 'disable' | 'reset'>

/** Starts an agent. Throws when it cannot start, because a folder is in use or a port is taken. */
export async function startAgent(settings: AgentSettings, parts: AgentParts): Promise<Agent> {
  const spool = await openSpool({ folder: settings.spoolDir, log: parts.log }, parts.clock ?? systemClock)
  const agent = new Agent(settings, parts, spool)
  try {
    await agent.start()
  } catch (error) {
    await agent.stop()
    throw error
  }
  return agent
}

/** Leases jobs, runs them in probe threads and delivers the results. One per process. */
export class Agent {
  readonly id = randomUUID()
  readonly #settings: AgentSettings
  readonly #log: Log
  readonly #clock: Clock
  readonly #abilities: Abilities
  readonly #client: ProtocolClient
  readonly #connection: Connection
  readonly #pool: Execution
  readonly #spool: Spool
  readonly #delivery: Delivery
  readonly #capacities: readonly Capacity[]
  readonly #delay: LoopDelay
  /** Abort when the agent takes no more work, and when its leases need no more renewals. */
  readonly #leasing = new AbortController()
  readonly #renewing = new AbortController()
  /** Aborts when the grace period of the running checks is over. */
  readonly #graceOver = new AbortController()
  #crashes: Crash[] = []
  #health: HealthServer | undefined
  #loops: Promise<void>[] = []
  #stopping: Promise<void> | undefined

  constructor(settings: AgentSettings, parts: AgentParts, spool: Spool) {
    const { log, clock = systemClock, random = Math.random, threadEntry = probeThread } = parts
    this.#settings = settings
    this.#log = log
    this.#clock = clock
    this.#spool = spool
    this.#abilities = abilitiesOf(settings.concurrency)
    this.#delay = parts.loopDelay ?? monitorEventLoopDelay({ resolution: 50 })
    const client = new ProtocolClient({ url: settings.url, key: settings.key, clock, post: parts.post })
    this.#client = client
    const hello = () => helloOf(this.id, this.#abilities, { inFlight: this.#held(), spooled: spool.attemptIds(10_000) })
    const connection = new Connection({ client, hello, clock, random, log, deniedRetryMs: parts.deniedRetryMs })
    this.#connection = connection
    this.#delivery = new Delivery({ agentId: this.id, client, connection, spool, clock, log })
    this.#capacities = workerClasses
      .map((workerClass) => new Capacity(workerClass, this.#abilities.capacity[workerClass] ?? 0))
      .filter(({ limit }) => limit > 0)
    const { execution = (options) => new ProbePool(options) } = parts
    this.#pool = execution({
      entry: threadEntry,
      controlName: settings.controlName,
      threads: Math.max(1, availableParallelism() - 1),
      clock,
      random,
      clockOffset: () => client.offset.current(),
      log,
      onEnd: (job, finished) => this.#ended(job, finished),
      onCrash: (code) => this.#crashes.push({ at: Math.round(clock.now()), code }),
      graceMs: parts.overdueGraceMs,
    })
  }

  async start(): Promise<void> {
    const { healthPort } = this.#settings
    if (healthPort !== null) this.#health = await serveHealth(healthPort, () => this.health())
    this.#delay.enable()
    this.#pool.start()
    this.#connection.start()
    const shared = { client: this.#client, connection: this.#connection, clock: this.#clock }
    const accept = (jobs: readonly unknown[]) => this.#accept(jobs)
    this.#loops = this.#capacities.map((capacity) =>
      leaseJobs({ ...shared, agentId: this.id, capacity, threads: this.#pool, signal: this.#leasing.signal, accept }),
    )
    this.#loops.push(
      renewLeases({
        ...shared,
        signal: this.#renewing.signal,
        request: () => this.#renewal(),
        onCancelled: (attemptId) => this.#pool.cancel(attemptId),
      }),
    )
  }

  /** The health endpoints' port, if there are any. */
  get healthPort(): number | undefined {
    return this.#health?.port
  }

  health(): Health {
    return {
      ready: this.#stopping === undefined && this.#connection.terms !== undefined && this.#pool.ready,
      details: {
        agentId: this.id,
        stopping: this.#stopping !== undefined,
        connected: this.#connection.terms !== undefined,
        running: this.#pool.running,
        spooled: this.#spool.size,
        dropped: this.#spool.dropped + this.#delivery.dropped,
      },
    }
  }

  /**
   * Takes no more work, hands back what has not started, lets running checks end within `graceMs` and delivers the
   * results. A second call may shorten the grace period.
   */
  stop(graceMs = this.#settings.drainGraceMs): Promise<void> {
    void sleep(this.#clock, graceMs, this.#graceOver.signal).then(() => this.#graceOver.abort())
    this.#stopping ??= this.#drain()
    return this.#stopping
  }

  async #drain(): Promise<void> {
    this.#leasing.abort()
    this.#log.info({ running: this.#pool.running }, 'stopping: no more checks are taken, running ones may finish')
    await this.#release(this.#pool.takeUnstarted())
    await Promise.race([this.#pool.idle(), aborted(this.#graceOver.signal)])
    this.#graceOver.abort()
    await this.#release(await this.#pool.stop())
    await this.#delivery.stop()
    this.#renewing.abort()
    if (this.#connection.terms !== undefined) {
      await this.#client
        .goodbye({ agentId: this.id })
        .catch((error: unknown) => this.#log.debug({ error }, 'no goodbye'))
    }
    await this.#connection.stop()
    await Promise.all(this.#loops)
    this.#client.close()
    await this.#spool.close()
    await this.#health?.close()
    this.#delay.disable()
    this.#log.info({ spooled: this.#spool.size }, 'stopped')
  }

  async #release(jobs: readonly Job[]): Promise<void> {
    if (jobs.length === 0 || this.#connection.terms === undefined) return
    await this.#client
      .release({ agentId: this.id, leases: jobs.map(({ lease }) => lease) })
      .catch((error: unknown) => this.#log.warn({ error }, 'jobs could not be handed back: their leases will expire'))
  }

  #accept(jobs: readonly unknown[]): void {
    for (const value of jobs) {
      const job = readJob(value)
      if (typeof job === 'string') this.#log.error(`a job cannot be read: ${job}`)
      // The server does not know that this agent already has the attempt; the running one will report.
      else if (!this.#held().includes(job.attemptId)) this.#run(job)
    }
  }

  #run(job: Job): void {
    this.#capacities.find(({ workerClass }) => workerClass === job.workerClass)?.take()
    const inability = unableToRun(job, this.#abilities.capabilities)
    if (inability === undefined) this.#pool.submit(this.#guarded(job))
    else this.#ended(job, finishedRun({ ...job, clockOffsetMs: this.#client.offset.current() }, inability))
  }

  /** Adds the health endpoints to the targets that checks must not reach. */
  #guarded(job: Job): Job {
    const port = this.#health?.port
    if (port === undefined) return job
    const deniedTargets = [...job.egress.deniedTargets, ...['0.0.0.0', '::'].map((address) => ({ address, port }))]
    return { ...job, egress: { ...job.egress, deniedTargets } }
  }

  #ended(job: Job, finished: FinishedRun | undefined): void {
    this.#capacities.find(({ workerClass }) => workerClass === job.workerClass)?.give()
    if (finished !== undefined) this.#delivery.add(finished)
  }

  /** Attempts that the server must not regard as lost. */
  #held(): string[] {
    return [...this.#pool.jobs(), ...this.#delivery.held()].map(({ attemptId }) => attemptId)
  }

  #renewal() {
    const lag = { main: this.#delay, threadsMs: this.#pool.eventLoopLagMs }
    const renewal = renewalOf(this.id, {
      leases: [...this.#pool.jobs(), ...this.#delivery.held()].map(({ lease }) => lease),
      lag,
      running: this.#pool.running,
      spooled: this.#spool.size,
      crashes: this.#settings.reportCrashes ? this.#crashes.splice(0) : [],
    })
    this.#delay.reset()
    return renewal
  }
}

const probeThread = new URL('./execution/probe-thread.ts', import.meta.url)
