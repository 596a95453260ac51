import { mostAheadMs, type Clock } from '@vedette/wire'
import type { Database } from '../../db/database.ts'
import type { RunQueue } from '../../queue/run-queue.ts'
import { workerClassOf } from '../../worker-class-of.ts'
import type { Availability } from '../availability.ts'
import type { Bookkeeping } from '../bookkeeping.ts'
import type { CheckChanges } from '../check-changes.ts'
import type { LossRecorder } from '../losses/loss-recorder.ts'
import type { Outlook } from '../outlook.ts'
import type { RequestRun } from '../requests/run-requests.ts'
import type { RunLedger } from '../run-ledger.ts'
import { awaitsFirstRun, type ScheduledCheck } from '../schedule-entry.ts'
import type { Scheduler } from '../scheduler.ts'
import type { SchedulingLog } from '../scheduling-log.ts'
import type { Leadership } from './leadership.ts'
import type { TermPart } from './term-part.ts'
import { deleteEndedTicks, readChecksAfter, readGapEnd, readPendingRuns, toScheduledCheck, type Gap } from '../store.ts'

const pageSize = 5000
const retryMs = 1000

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
    ledger: Pick<RunLedger, 'clear'>
    outlook: Pick<Outlook, 'clear'>
    passive: TermPart
  }
  leadership: Pick<Leadership, 'write' | 'fence'>
  requestRun: RequestRun
}

/** Starts and ends the schedule with the leadership: it is read, runs, and is dropped. */
export class ScheduleTerm {
  readonly #options: ScheduleTermOptions
  #loaded: Promise<void> = Promise.resolve()
  /** Set while the schedule is loaded; another object for each term. */
  #term: object | undefined
  /** Slots up to here have ended or are in a gap that was recorded at the start of this term. */
  #coveredTo = -Infinity

  constructor(options: ScheduleTermOptions) {
    this.#options = options
  }

  /** True when the schedule of this term is loaded. */
  get isServing(): boolean {
    return this.#term !== undefined
  }

  /** Resolves when the schedule of this term is loaded, or cannot be: then the term ends. */
  ready(): Promise<void> {
    return this.#loaded
  }

  begin(watermark: number | undefined): Promise<void> {
    const loading = this.#load(watermark)
    this.#loaded = loading.catch(() => undefined)
    return loading
  }

  async end(): Promise<void> {
    const { queue, losses, scheduler, bookkeeping, changes, ledger, passive } = this.#options.parts
    this.#term = undefined
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
    this.#forgetLastTerm()
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
    const term = {}
    this.#term = term
    const asked = new Set(pending.map((run) => run.checkId))
    const awaiting = checks.filter((check) => !asked.has(check.checkId) && awaitsFirstRun(check, now))
    void this.#runAtLast(
      awaiting.map(({ checkId }) => checkId),
      term,
    )
  }

  /** A COMMIT of the last term may have been answered after its end. Other servers have led since. */
  #forgetLastTerm(): void {
    const { ledger, outlook } = this.#options.parts
    ledger.clear()
    outlook.clear()
  }

  async #readChecks(): Promise<ScheduledCheck[]> {
    const { db, clock } = this.#options
    const checks: ScheduledCheck[] = []
    let afterId = '00000000-0000-0000-0000-000000000000'
    for (;;) {
      const rows = await readChecksAfter(db.pool, clock.now(), { afterId, limit: pageSize })
      checks.push(...rows.flatMap((row) => toScheduledCheck(row, workerClassOf) ?? []))
      if (rows.length < pageSize) return checks
      afterId = rows.at(-1)?.id ?? afterId
    }
  }

  /** The watermark may lie in an earlier pause, at a run that was started in it: recorded gaps are left out. */
  async #coverPause(watermark: number, now: number): Promise<Gap | undefined> {
    let from = watermark + 1
    const last = now + mostAheadMs
    for (let end; (end = await readGapEnd(this.#options.db.pool, from, last)) !== undefined;) from = end + 1
    const gap = from < now ? { from, to: now, reason: 'The server was not running.' } : undefined
    if (gap !== undefined) this.#options.parts.bookkeeping.gap(gap)
    this.#coveredTo = Math.max(now, from - 1)
    return gap
  }

  /** Requests first runs that an earlier process did not request before it ended: a daily check must not wait a day. */
  async #runAtLast(checkIds: readonly string[], term: object): Promise<void> {
    const { clock, log, requestRun } = this.#options
    for (const [at, checkId] of checkIds.entries()) {
      if (this.#term !== term) return
      try {
        await requestRun(checkId, 'SCHEDULE_NOW')
      } catch (error) {
        log.error({ err: error, checkId }, 'A check that was changed could not be run at once; trying again.')
        clock.after(retryMs, () => void this.#runAtLast([...checkIds.slice(at + 1), checkId], term))
        return
      }
    }
  }
}
