import type { Clock } from '@vedette/wire'
import type { Database } from '../../db/database.ts'
import type { RunQueue } from '../../queue/run-queue.ts'
import { workerClassOf } from '../../worker-class-of.ts'
import type { Availability } from '../availability.ts'
import type { Bookkeeping } from '../bookkeeping.ts'
import type { CheckChanges } from '../check-changes.ts'
import type { LossRecorder } from '../losses/loss-recorder.ts'
import type { RequestRun } from '../requests/run-requests.ts'
import type { RunLedger } from '../run-ledger.ts'
import { awaitsFirstRun, type ScheduledCheck } from '../schedule-entry.ts'
import type { Scheduler } from '../scheduler.ts'
import type { SchedulingLog } from '../scheduling-log.ts'
import type { Leadership } from './leadership.ts'
import type { TermPart } from './term-part.ts'
import { deleteEndedTicks, readChecksAfter, readGapEnd, readPendingRuns, toScheduledCheck, type Gap } from '../store.ts'

const pageSize = 5000

export interface ScheduleTermOptions {
  db: Database
  clock: Clock
  log: SchedulingLog
  /** Parts that work only while this process leads, in the order they are started. */
  parts: {
    queue: RunQueue
    availability: Availability
    losses: LossRecorder
    scheduler: Scheduler
    bookkeeping: Bookkeeping
    changes: CheckChanges
    ledger: RunLedger
    passive: TermPart
  }
  leadership: Pick<Leadership, 'write' | 'fence'>
  requestRun: RequestRun
}

/** Starts and ends the schedule with the leadership: it is read, runs, and is dropped. */
export class ScheduleTerm {
  readonly #options: ScheduleTermOptions
  #loaded: Promise<void> = Promise.resolve()
  #isServing = false
  /** Slots up to here have ended or are in a gap that was recorded at the start of this term. */
  #coveredTo = -Infinity

  constructor(options: ScheduleTermOptions) {
    this.#options = options
  }

  /** True when the schedule of this term is loaded. */
  get isServing(): boolean {
    return this.#isServing
  }

  /** Settles when the schedule of this term is loaded. */
  ready(): Promise<void> {
    return this.#loaded
  }

  begin(watermark: number | undefined): Promise<void> {
    this.#loaded = this.#load(watermark)
    return this.#loaded
  }

  async end(): Promise<void> {
    const { queue, losses, scheduler, bookkeeping, changes, ledger, passive } = this.#options.parts
    this.#isServing = false
    changes.forget()
    scheduler.stop()
    await passive.end()
    await bookkeeping.stop()
    await queue.stop()
    await losses.stop()
    ledger.clear()
  }

  /**
   * Records skipped slots as a gap. Slots from before the start are left out, because the gap of the start covers them.
   */
  skipped({ from, to, reason }: Gap): void {
    const uncovered = Math.max(from, this.#coveredTo + 1)
    if (uncovered <= to) this.#options.parts.bookkeeping.gap({ from: uncovered, to, reason })
  }

  async #load(watermark: number | undefined): Promise<void> {
    const { db, clock, parts, leadership } = this.#options
    const checks = await this.#readChecks()
    await deleteEndedTicks(db.pool)
    const pending = await readPendingRuns(db.pool, clock.now())
    const now = clock.now()
    const pause = watermark === undefined ? undefined : await this.#coverPause(watermark, now)
    parts.queue.start()
    parts.availability.begin()
    parts.losses.start()
    parts.scheduler.start(checks, pending, watermark)
    parts.bookkeeping.start(pending)
    await parts.passive.begin({
      write: (work) => leadership.write(work),
      fence: () => leadership.fence(),
      pause,
      stoodStill: (gap) => this.skipped(gap),
    })
    this.#isServing = true
    const asked = new Set(pending.map((run) => run.checkId))
    void this.#runAtLast(checks.filter((check) => !asked.has(check.checkId) && awaitsFirstRun(check, now)))
  }

  async #readChecks(): Promise<ScheduledCheck[]> {
    const checks: ScheduledCheck[] = []
    let after = '00000000-0000-0000-0000-000000000000'
    for (;;) {
      const rows = await readChecksAfter(this.#options.db.pool, after, pageSize)
      checks.push(...rows.flatMap((row) => toScheduledCheck(row, workerClassOf) ?? []))
      if (rows.length < pageSize) return checks
      after = rows.at(-1)?.id ?? after
    }
  }

  /** The watermark may lie in an earlier pause, at a run that was started in it: recorded gaps are left out. */
  async #coverPause(watermark: number, now: number): Promise<Gap | undefined> {
    let from = watermark + 1
    for (let end; (end = await readGapEnd(this.#options.db.pool, from)) !== undefined;) from = end + 1
    const gap = from < now ? { from, to: now, reason: 'The server was not running.' } : undefined
    if (gap !== undefined) this.#options.parts.bookkeeping.gap(gap)
    this.#coveredTo = Math.max(now, from - 1)
    return gap
  }

  /** Requests first runs that an earlier process did not request before it ended: a daily check must not wait a day. */
  async #runAtLast(checks: readonly ScheduledCheck[]): Promise<void> {
    try {
      for (const { checkId } of checks) await this.#options.requestRun(checkId, 'SCHEDULE_NOW')
    } catch (error) {
      this.#options.log.error({ err: error }, 'Checks that were changed could not be run at once.')
    }
  }
}
