import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { workerClasses, systemClock, type Clock, type Job } from '@vedette/wire'
import type { AgentParts, LoopDelay } from './agent-parts.ts'
import { abilitiesOf, type Abilities } from './execution/abilities.ts'
import { readJob, unableToRun } from './execution/admit-job.ts'
import { crashLimit, helloOf, renewalOf, type Crash } from './protocol/announce.ts'
import type { AgentSettings } from './config.ts'
import { asProblem, Connection } from './protocol/connection.ts'
import { Delivery } from './delivery/delivery.ts'
import { Diagnosis } from './diagnosis/diagnosis.ts'
import { denyHealth, serveHealth, type Health, type HealthServer } from './health-server.ts'
import { leaseJobs } from './protocol/lease-loop.ts'
import type { Log } from './log.ts'
import { monitorLoop } from './execution/loop-delay.ts'
import { slotsOf } from './execution/slots-of.ts'
import { ProbePool, type Execution } from './execution/probe-pool.ts'
import { Planning } from './plan/planning.ts'
import { ProtocolClient } from './protocol/protocol-client.ts'
import { LeaseLimits } from './protocol/lease-limits.ts'
import { renewLeases } from './protocol/renew-loop.ts'
import { finishedRun, internalErrorReport, type FinishedRun } from './delivery/report-text.ts'
import { aborted, sleep } from './sleep.ts'
import { Capacity } from './execution/capacity.ts'
import type { Spool } from './delivery/spool.ts'

/** Leases jobs, runs them in probe threads and delivers the results. One per process. */
export class Agent {
  readonly id = randomUUID()
  readonly #settings: AgentSettings
  readonly #log: Log
  readonly #clock: Clock
  readonly #abilities: Abilities
  readonly #isBuiltIn: boolean
  readonly #client: ProtocolClient
  readonly #connection: Connection
  readonly #pool: Execution
  readonly #spool: Spool
  readonly #delivery: Delivery
  readonly #diagnosis: Diagnosis | undefined
  readonly #capacities: readonly Capacity[]
  readonly #delay: LoopDelay
  /** Abort when the agent takes no more work, and when its leases need no more renewals. */
  readonly #leasing = new AbortController()
  readonly #renewing = new AbortController()
  /** Aborts when the grace period of the running checks is over. */
  readonly #graceOver = new AbortController()
  readonly #leaseLimits: LeaseLimits
  readonly #planning: Planning
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
    this.#isBuiltIn = parts.isBuiltIn ?? false
    this.#leaseLimits = new LeaseLimits(clock)
    this.#abilities = abilitiesOf(settings.concurrency, slotsOf(settings.concurrency, log), parts.capabilities)
    this.#delay = parts.loopDelay ?? monitorLoop()
    const { url, key, proxy, sharesServerClock } = settings
    const client = new ProtocolClient({ url, key, proxy, sharesServerClock, clock, post: parts.post })
    this.#client = client
    const inFlight = () => this.#held().map(({ attemptId }) => attemptId)
    const hello = () => helloOf(this.id, this.#abilities, { inFlight: inFlight(), spooled: spool.attemptIds(10_000) })
    const connection = new Connection({ client, hello, clock, random, log, deniedRetryMs: parts.deniedRetryMs })
    this.#connection = connection
    this.#delivery = new Delivery({ agentId: this.id, client, connection, spool, clock, log })
    const { diagnostics } = parts
    this.#diagnosis = diagnostics && new Diagnosis({ agentId: this.id, diagnostics, client, connection, clock, log })
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
      onEnd: (job, finished, unreached) => {
        this.#ended(job, finished)
        if (unreached !== undefined) this.#diagnosis?.add({ ...unreached, job })
      },
      isCrowded: () => this.#capacities.some((capacity) => capacity.isCrowded),
      onCrash: (code) => this.#noteCrash({ at: Math.round(clock.now()), code }),
      graceMs: parts.overdueGraceMs,
    })
    this.#planning = new Planning({
      agentId: this.id,
      client,
      connection,
      clock,
      log,
      pool: this.#pool,
      capacities: this.#capacities,
      take: (job) => this.#take([job]) > 0,
      deliver: (run) => this.#delivery.add(run),
    })
  }

  async start(): Promise<void> {
    this.#health = await this.#serveHealth()
    this.#delay.enable()
    this.#pool.start()
    this.#connection.start()
    this.#planning.start()
    const shared = { client: this.#client, connection: this.#connection, clock: this.#clock }
    const accept = (jobs: readonly unknown[]) => this.#accept(jobs)
    this.#loops = this.#capacities.map((capacity) =>
      leaseJobs({ ...shared, agentId: this.id, capacity, threads: this.#pool, signal: this.#leasing.signal, accept }),
    )
    this.#loops.push(
      this.#planning.follow(this.#leasing.signal),
      renewLeases({
        ...shared,
        signal: this.#renewing.signal,
        request: () => this.#renewal(),
        onRead: ({ crashes = [] }) => (this.#crashes = this.#crashes.filter((crash) => !crashes.includes(crash))),
        // What the plan began is wanted, although the server does not know that it runs.
        onCancelled: (attemptId) => this.#planning.hasBegun(attemptId) || this.#pool.cancel(attemptId),
      }),
    )
  }

  async #serveHealth(): Promise<HealthServer | undefined> {
    const { healthPort, healthHost } = this.#settings
    if (healthPort === null) return undefined
    try {
      return await serveHealth({ port: healthPort, host: healthHost }, () => this.health())
    } catch (error) {
      if (!this.#isBuiltIn) throw error
      this.#log.error({ error, healthPort }, 'AGENT_HEALTH_PORT cannot be used: health endpoints are not served')
      return undefined
    }
  }

  /** The health endpoints' port, if there are any. */
  get healthPort(): number | undefined {
    return this.#health?.port
  }

  health(): Health {
    return {
      ready: this.#stopping === undefined && this.#connection.session !== undefined && this.#pool.ready,
      details: {
        agentId: this.id,
        stopping: this.#stopping !== undefined,
        connected: this.#connection.session !== undefined,
        running: this.#pool.running,
        spooled: this.#spool.size,
        dropped: this.#dropped,
        unreadable: this.#spool.unreadable,
        spoolTrouble: this.#spool.trouble ?? null,
        planned: this.#planning.checks,
        runsPlan: this.#planning.isActive,
      },
    }
  }

  /** Results that were lost for lack of space. */
  get #dropped(): number {
    return this.#spool.dropped + this.#delivery.dropped
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
    this.#planning.stop()
    this.#log.info({ running: this.#pool.running }, 'stopping: no more checks are taken, running ones may finish')
    await this.#release(this.#pool.takeUnstarted())
    await Promise.race([this.#pool.idle(), aborted(this.#graceOver.signal)])
    this.#graceOver.abort()
    await this.#release(await this.#pool.stop())
    await this.#delivery.stop()
    await this.#diagnosis?.stop()
    this.#renewing.abort()
    if (this.#connection.session !== undefined) {
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
    const { session } = this.#connection
    if (jobs.length === 0 || session === undefined) return
    await this.#client.release({ agentId: this.id, leases: jobs.map(({ lease }) => lease) }).catch((error: unknown) => {
      this.#log.warn({ error }, 'jobs could not be handed back: their leases will expire')
      this.#connection.lost(session, asProblem(error))
    })
  }

  #accept(values: readonly unknown[]): void {
    const jobs = values.map(readJob)
    for (const job of jobs) if (typeof job === 'string') this.#log.error(`a job cannot be read: ${job}`)
    this.#take(jobs.filter((job) => typeof job !== 'string'))
  }

  /**
   * Runs jobs, and answers how many. The server, or the plan, may not know that this agent already has an attempt: it runs,
   * or its result waits.
   */
  #take(jobs: readonly Job[]): number {
    const held = new Set(this.#held().map(({ attemptId }) => attemptId))
    const isNew = ({ attemptId }: Job) => !held.has(attemptId) && !this.#spool.has(attemptId) && held.add(attemptId)
    const taken = jobs.filter(isNew)
    const toRun = taken.filter((job) => this.#canRun(job))
    this.#pool.submit(toRun.map((job) => denyHealth(job, this.#health?.port)))
    return taken.length
  }

  /** A job that this agent cannot run has ended. */
  #canRun(job: Job): boolean {
    this.#leaseLimits.start(job)
    this.#capacities.find(({ workerClass }) => workerClass === job.workerClass)?.take()
    const inability = unableToRun(job, this.#abilities.capabilities)
    if (inability === undefined) return true
    this.#ended(job, finishedRun({ ...job, clockOffsetMs: this.#client.offset.current() }, inability))
    return false
  }

  #ended(job: Job, finished: FinishedRun | undefined): void {
    this.#capacities.find(({ workerClass }) => workerClass === job.workerClass)?.give()
    this.#planning.ended(job, finished)
  }

  /** Whatever keeps these runs here, the server takes them for lost from now on. */
  #endOverdue(): void {
    for (const job of this.#pool.jobs().filter(({ attemptId }) => this.#leaseLimits.isOver(attemptId))) {
      this.#log.error({ checkId: job.checkId, attemptId: job.attemptId }, 'a run did not end: it is given up')
      this.#pool.cancel(job.attemptId)
      const report = internalErrorReport('AGENT_STALLED', 'The agent did not bring this run to its end in time.')
      this.#delivery.add(finishedRun({ ...job, clockOffsetMs: this.#client.offset.current() }, report))
    }
  }

  #noteCrash(crash: Crash): void {
    this.#crashes = [...this.#crashes, crash].slice(-crashLimit)
  }

  /** Attempts that the server must not regard as lost. */
  #held(): Pick<Job, 'attemptId' | 'lease'>[] {
    return [...this.#pool.jobs(), ...this.#planning.held(), ...this.#delivery.held()]
  }

  #renewal() {
    this.#endOverdue()
    const held = this.#held()
    this.#leaseLimits.keepOnly(held.map(({ attemptId }) => attemptId))
    const lag = { main: this.#delay, threadsMs: this.#pool.eventLoopLagMs }
    const renewal = renewalOf(this.id, {
      leases: held.filter(({ attemptId }) => !this.#leaseLimits.isOver(attemptId)).map(({ lease }) => lease),
      lag,
      running: this.#pool.running,
      spooled: this.#spool.size,
      dropped: this.#dropped,
      unreadable: this.#spool.unreadable,
      spoolFailing: this.#spool.trouble !== undefined,
      crashes: this.#settings.reportCrashes ? this.#crashes : [],
    })
    this.#delay.reset()
    return renewal
  }
}

const probeThread = new URL('./execution/probe-thread.ts', import.meta.url)
