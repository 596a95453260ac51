import type { Clock, Job } from '@vedette/wire'
import { AgentKeys } from '../agents/agent-keys.ts'
import type { AgentApiDeps } from '../agents/agent-api-deps.ts'
import { JobSource } from '../agents/join-job.ts'
import { createLeaseTokens } from '../agents/lease-token.ts'
import { Presence } from '../agents/presence.ts'
import type { AgentKeyKind } from '../agents/store.ts'
import type { Database } from '../db/database.ts'
import { unavailable } from '../http/api-error.ts'
import { MemoryQueue } from '../queue/memory-queue.ts'
import type { LossReason, RunQueue } from '../queue/run-queue.ts'
import type { CommittedResult, IncomingResult, RunRef, RunSource } from '../runs.ts'
import type { Vault } from '../vault.ts'
import { Availability } from './availability.ts'
import { Bookkeeping } from './bookkeeping.ts'
import { CheckChanges } from './check-changes.ts'
import { InFlight } from './in-flight.ts'
import { workerClassOf } from './worker-class-of.ts'
import { Leadership } from './leadership.ts'
import { LossRecorder } from './loss-recorder.ts'
import { requestRun } from './request-run.ts'
import type { ResultSink, SchedulingLog } from './result-sink.ts'
import { awaitsFirstRun, type ScheduledCheck } from './schedule-entry.ts'
import { Scheduler } from './scheduler.ts'
import {
  deletePendingRuns,
  deletePendingRunsOfCheck,
  readChecksAfter,
  readGapEnd,
  readPendingRuns,
  toScheduledCheck,
} from './store.ts'
import { DryRuns, type DryRunRequest } from './dry-runs.ts'

const role = 'scheduler'
const leaseMs = 30_000
const pageSize = 5000

export interface DispatchOptions {
  db: Database
  clock: Clock
  vault: Vault
  ingest: ResultSink
  /** Which targets runs may reach, by the kind of location they run at. */
  egress: (kind: AgentKeyKind) => Job['egress']
  /** Name of this process in the leadership row and the log. */
  holder: string
  log: SchedulingLog
}

/** From the schedule to the agents' hands: leadership, scheduler, queue, and what becomes of runs that are lost. */
export class Dispatch {
  readonly agents: AgentApiDeps
  readonly #options: DispatchOptions
  readonly #inFlight = new InFlight()
  readonly #availability: Availability
  readonly #dryRuns: DryRuns
  readonly #queue: RunQueue
  readonly #scheduler: Scheduler
  readonly #bookkeeping: Bookkeeping
  readonly #leadership: Leadership
  readonly #changes: CheckChanges
  #losses: LossRecorder
  /** Ends when the schedule of this term is loaded. */
  #loaded: Promise<void> = Promise.resolve()
  #isServing = false
  /** Slots up to here are in a gap that was there at the start of this term, or have ended. */
  #coveredTo = -Infinity
  #stopListening: () => void = () => undefined

  constructor(options: DispatchOptions) {
    this.#options = options
    const { db, clock, log } = options
    this.#availability = new Availability(clock)
    this.#dryRuns = new DryRuns(clock)
    this.#losses = this.#newLossRecorder()
    this.#queue = new MemoryQueue({ clock, leaseMs, onLost: (ref, reason) => this.#onLost(ref, reason) })
    this.#scheduler = this.#newScheduler()
    this.#leadership = new Leadership({
      db,
      clock,
      log,
      role,
      holder: options.holder,
      onGained: ({ watermark }) => (this.#loaded = this.#load(watermark)),
      onLost: () => this.#unload(),
    })
    this.#bookkeeping = new Bookkeeping({
      clock,
      log,
      role,
      leadership: this.#leadership,
      watermark: () => Math.min(clock.now(), this.#scheduler.firstDue(), this.#inFlight.oldestTick()) - 1,
      availability: this.#availability,
    })
    this.#changes = new CheckChanges({
      db,
      clock,
      log,
      workerClassOf,
      onRuns: (check) => this.#scheduler.put(check),
      onGone: (checkId) => this.#onGone(checkId),
    })
    this.agents = this.#newAgentApiDeps()
  }

  /** Resolves when this process leads, or when it knows that another one does. */
  async start(): Promise<void> {
    this.#stopListening = this.#options.ingest.onCommitted((results) => this.#onCommitted(results))
    await this.#leadership.start()
  }

  async stop(): Promise<void> {
    if (this.isLeading()) await this.#bookkeeping.flush()
    await this.#leadership.stop()
    this.#stopListening()
    this.#dryRuns.stop()
    await this.#losses.stop()
  }

  /** True when this process leads and its schedule is loaded. */
  isLeading(): boolean {
    return this.#isServing && this.#leadership.isLeading()
  }

  /** Runs waiting and leased, checks in the schedule: for metrics and health. */
  depth(): { waiting: number; leased: number; scheduled: number } {
    return { ...this.#queue.depth(), scheduled: this.#scheduler.size }
  }

  /** A check was created, changed or deleted. Resolves when the schedule knows. */
  checkChanged(checkId: string): Promise<void> {
    return this.checksChanged([checkId])
  }

  /** The same for many of them at once. */
  async checksChanged(checkIds: readonly string[]): Promise<void> {
    await this.#loaded
    if (this.isLeading()) await this.#changes.changed(checkIds)
  }

  /** Runs a check now, besides its schedule. Undefined when it does not run at all. */
  async requestRun(
    checkId: string,
    source: RunSource,
    accountId?: string,
  ): Promise<{ checkRunId: number; resultIds: string[] } | undefined> {
    await this.#loaded
    const now = this.#options.clock.now()
    const wish = { checkId, source, now, ...(accountId !== undefined && { accountId }) }
    const runs = await requestRun({ db: this.#options.db, workerClassOf }, wish).catch((error) =>
      this.#takeUp(wish, error),
    )
    const [first] = runs ?? []
    if (runs === undefined || first === undefined) return undefined
    for (const run of runs) this.#scheduler.putOneShot(run)
    return { checkRunId: first.dueAt, resultIds: runs.map((run) => run.attemptId) }
  }

  /** A COMMIT whose answer was lost has stored its runs all the same. */
  async #takeUp({ checkId, now }: { checkId: string; now: number }, error: unknown): Promise<never> {
    for (const run of await readPendingRuns(this.#options.db.pool))
      if (run.checkId === checkId && run.dueAt >= now) this.#scheduler.putOneShot(run)
    throw error
  }

  /** Runs a check that nobody saved. Undefined when no agent answered in time. */
  async dryRun(request: DryRunRequest): Promise<IncomingResult | undefined> {
    if (!this.isLeading()) throw unavailable('Another server hands out runs at this moment.', 1)
    return this.#dryRuns.run(request, this.#queue)
  }

  async #load(watermark: number | undefined): Promise<void> {
    const { db, clock } = this.#options
    const checks: ScheduledCheck[] = []
    let after = '00000000-0000-0000-0000-000000000000'
    for (;;) {
      const rows = await readChecksAfter(db.pool, after, pageSize)
      for (const row of rows) {
        const check = toScheduledCheck(row, workerClassOf)
        if (check !== undefined) checks.push(check)
      }
      if (rows.length < pageSize) break
      after = rows.at(-1)?.id ?? after
    }
    const pending = await readPendingRuns(db.pool)
    const now = clock.now()
    if (watermark !== undefined) {
      // A run in flight from before earlier pauses keeps the watermark there: what one gap covers no other one does.
      let from = watermark + 1
      for (let end; (end = await readGapEnd(db.pool, from)) !== undefined;) from = end + 1
      if (from < now) this.#bookkeeping.gap({ from, to: now, reason: 'The server was not running.' })
      this.#coveredTo = Math.max(now, from - 1)
    }
    this.#queue.start()
    this.#availability.begin()
    this.#scheduler.start(checks, pending, watermark)
    this.#bookkeeping.start()
    this.#isServing = true
    const asked = new Set(pending.map((run) => run.checkId))
    void this.#runAtLast(checks.filter((check) => !asked.has(check.checkId) && awaitsFirstRun(check, now)))
  }

  /** Checks whose run at once was not asked for because the process ended first: a daily one must not wait a day. */
  async #runAtLast(checks: readonly ScheduledCheck[]): Promise<void> {
    try {
      for (const { checkId } of checks) await this.requestRun(checkId, 'SCHEDULE_NOW')
    } catch (error) {
      this.#options.log.error({ err: error }, 'Checks that were changed could not be run at once.')
    }
  }

  async #unload(): Promise<void> {
    this.#isServing = false
    this.#changes.forget()
    this.#scheduler.stop()
    await this.#bookkeeping.stop()
    await this.#queue.stop()
    await this.#losses.stop()
    this.#losses = this.#newLossRecorder()
    this.#inFlight.clear()
  }

  async #onGone(checkId: string): Promise<void> {
    this.#scheduler.remove(checkId)
    this.#inFlight.forgetCheck(checkId)
    await this.#queue.dropCheck(checkId)
    await deletePendingRunsOfCheck(this.#options.db.pool, checkId)
  }

  #onLost(ref: RunRef, reason: LossReason): void {
    if (ref.source === 'EDITOR') this.#dryRuns.lost(ref.attemptId)
    else this.#losses.add(ref, reason)
  }

  #onCommitted(results: readonly CommittedResult[]): void {
    const now = this.#options.clock.now()
    for (const { resultId, retry } of results) {
      if (retry === undefined) this.#inFlight.ended(resultId, now)
      else {
        const runParallel = this.#scheduler.check(retry.checkId)?.runParallel ?? false
        this.#inFlight.handOver(resultId, retry, { runParallel, now })
        this.#scheduler.putOneShot(retry)
      }
    }
  }

  async #drop(refs: readonly RunRef[]): Promise<void> {
    this.#end(refs.map((ref) => ref.attemptId))
    await deletePendingRuns(
      this.#options.db.pool,
      refs.map((ref) => ref.attemptId),
    )
  }

  #end(attemptIds: readonly string[]): void {
    const now = this.#options.clock.now()
    for (const id of attemptIds) this.#inFlight.ended(id, now)
    this.#inFlight.purge(now)
  }

  #newScheduler(): Scheduler {
    const { clock, log } = this.#options
    return new Scheduler({
      clock,
      log,
      queue: this.#queue,
      inFlight: this.#inFlight,
      mayRun: () => this.#leadership.isLeading(),
      onSlept: () => this.#availability.slept(),
      isServed: (location, due) => this.#availability.take(location, due),
      hasAgent: (location) => this.#availability.hasAgent(location),
      onMissed: (ref) => this.#losses.add(ref, 'missed'),
      onOverlap: (checkId) => this.#bookkeeping.overlap(checkId),
      onSkipped: ({ from, to, reason }) => {
        // A slow start may skip slots from before it, which its own gap covers.
        const uncovered = Math.max(from, this.#coveredTo + 1)
        if (uncovered <= to) this.#bookkeeping.gap({ from: uncovered, to, reason })
      },
      onDropped: (ref) => {
        this.#drop([ref]).catch((error: unknown) => log.error({ err: error }, 'A run could not be taken back.'))
      },
    })
  }

  #newLossRecorder(): LossRecorder {
    const { clock, ingest, log } = this.#options
    return new LossRecorder({ clock, ingest, log, onRecorded: (id) => this.#end([id]) })
  }

  #newAgentApiDeps(): AgentApiDeps {
    const { db, clock, vault, ingest, egress, log } = this.#options
    const tokens = createLeaseTokens(vault.deriveKey('lease'))
    const jobs = new JobSource({
      db,
      vault,
      clock,
      tokens,
      egress,
      isActive: (checkId) => this.#scheduler.check(checkId) !== undefined,
      dryRunJob: (attempt) => this.#dryRuns.job(attempt),
    })
    return {
      clock,
      tokens,
      jobs,
      ingest,
      log,
      leaseMs,
      queue: this.#queue,
      keys: new AgentKeys({ db, clock }),
      presence: new Presence(clock),
      ready: () => this.#loaded,
      onAsked: (locations) => this.#availability.asked(locations),
      isLeading: () => this.isLeading(),
      onDropped: (refs) => this.#drop(refs),
      onNotPrepared: (ref) => {
        if (ref.source === 'EDITOR') this.#dryRuns.lost(ref.attemptId)
        else this.#losses.add(ref, 'not-prepared')
      },
      onDryRunResult: (result) => this.#dryRuns.report(result),
      onEnded: (attemptIds) => this.#end(attemptIds),
    }
  }
}
