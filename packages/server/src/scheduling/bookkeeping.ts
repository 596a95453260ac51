import type { CancelTimer, Clock } from '@vedette/wire'
import type { Queryable } from '../db/database.ts'
import { TermOver, type RunRef } from '../runs.ts'
import type { Leadership } from './leadership/leadership.ts'
import { OverlapCounts } from './overlap-counts.ts'
import type { SchedulingLog } from './scheduling-log.ts'
import type { Availability, Outage } from './availability.ts'
import {
  addOverlaps,
  deletePendingRuns,
  extendGap,
  insertGap,
  insertLocationGap,
  insertTicks,
  readWatermark,
  writeWatermark,
  type Gap,
} from './store.ts'

const everyMs = 2000

/** How far the schedule has come. */
export interface Progress {
  /** All slots up to here were started or left out. */
  watermark: number
  /** Those of them that have no result. */
  inFlight: readonly RunRef[]
}

export interface BookkeepingOptions {
  clock: Clock
  leadership: Pick<Leadership, 'write' | 'writeWatermark'>
  role: string
  progress: () => Progress
  isInFlight: (attemptId: string) => boolean
  /** Locations without agents: their gaps grow while the outage lasts. */
  availability: Pick<Availability, 'outages' | 'written'>
  log: SchedulingLog
}

/**
 * Stores the scheduler's state every few seconds: watermark, gaps and dropped ticks. Slots up to the watermark that are
 * still in flight are stored as one-shots, so that the next leader ends each of them, and its gap begins at the
 * watermark.
 */
export class Bookkeeping {
  readonly #options: BookkeepingOptions
  readonly #overlaps = new OverlapCounts()
  #gaps: Gap[] = []
  /** Rows of gaps that still grow. */
  readonly #rows = new WeakMap<Outage, { id: number; to: number }>()
  /** Ticks with a row in `pending_runs`. */
  readonly #listed = new Set<string>()
  /** Ticks that may have a row: the answer to the commit that was to store it was lost. */
  readonly #perhapsListed = new Set<string>()
  #timer: CancelTimer | undefined
  #writing: Promise<void> = Promise.resolve()
  #running = false

  constructor(options: BookkeepingOptions) {
    this.#options = options
  }

  /** `pending`: the one-shots that were stored when the term began. */
  start(pending: readonly RunRef[]): void {
    this.#running = true
    for (const run of pending) if (isTick(run)) this.#listed.add(run.attemptId)
    this.#arm(0)
  }

  async stop(): Promise<void> {
    this.#running = false
    this.#timer?.()
    await this.#writing
    this.#overlaps.clear()
    this.#gaps = []
    this.#listed.clear()
    this.#perhapsListed.clear()
  }

  overlap(checkId: string): void {
    this.#overlaps.add(checkId)
  }

  gap(gap: Gap): void {
    this.#gaps.push(gap)
  }

  /** Stores the current state. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  #arm(delayMs: number): void {
    this.#timer = this.#options.clock.after(delayMs, () => {
      void this.flush().then(() => {
        if (this.#running) this.#arm(everyMs)
      })
    })
  }

  async #write(): Promise<void> {
    const gaps = this.#gaps
    this.#gaps = []
    const { watermark, inFlight } = this.#options.progress()
    const isCounted = this.#overlaps.isEmpty
    this.#overlaps.begin(watermark)
    const begun = inFlight.filter(({ attemptId }) => !this.#listed.has(attemptId))
    const rowsOfTicks = [...this.#listed, ...this.#perhapsListed]
    const ended = rowsOfTicks.filter((attemptId) => !this.#options.isInFlight(attemptId))
    const outages = this.#options.availability.outages().map((outage) => ({ outage, ...outage }))
    const isQuiet = isCounted && [gaps, begun, ended, outages].every(({ length }) => length === 0)
    try {
      const stored = isQuiet
        ? await this.#writeProgress(watermark)
        : await this.#options.leadership.write(async (client) => {
            for (const gap of gaps) await insertGap(client, gap)
            const uncounted = await this.#countOverlaps(client)
            await writeWatermark(client, this.#options.role, watermark)
            if (begun.length > 0) await insertTicks(client, begun, this.#options.clock.now())
            if (ended.length > 0) await deletePendingRuns(client, ended)
            return { rows: await Promise.all(outages.map((one) => this.#writeOutage(client, one))), uncounted }
          })
      this.#overlaps.stored(stored.uncounted)
      for (const { attemptId } of begun) {
        this.#listed.add(attemptId)
        this.#perhapsListed.delete(attemptId)
      }
      for (const attemptId of ended) {
        this.#listed.delete(attemptId)
        this.#perhapsListed.delete(attemptId)
      }
      for (const [at, { outage, to }] of outages.entries()) this.#rows.set(outage, { id: stored.rows[at] ?? 0, to })
      this.#options.availability.written(new Map(outages.map(({ outage, to }) => [outage, to])))
    } catch (error) {
      if (error instanceof TermOver) return
      this.#options.log.error({ err: error }, 'The schedule could not be written down; trying again.')
      for (const { attemptId } of begun) this.#perhapsListed.add(attemptId)
      this.#gaps.unshift(...gaps)
    }
  }

  /** Mostly there is nothing else to store, which takes one statement and no transaction of several. */
  async #writeProgress(watermark: number): Promise<{ rows: number[]; uncounted: Map<string, number> }> {
    await this.#options.leadership.writeWatermark(watermark)
    return { rows: [], uncounted: new Map() }
  }

  /** Returns the counts of checks whose rows somebody holds. */
  async #countOverlaps(client: Queryable): Promise<Map<string, number>> {
    const owed = this.#overlaps.owed(await readWatermark(client, this.#options.role))
    const held = owed.size > 0 ? await addOverlaps(client, owed) : []
    return new Map(held.map((checkId) => [checkId, owed.get(checkId) ?? 0]))
  }

  async #writeOutage(client: Queryable, { outage, location, from, to }: Outage & { outage: Outage }): Promise<number> {
    const row = this.#rows.get(outage)
    if (row === undefined)
      return insertLocationGap(client, { location, from, to, reason: 'No agent served the location.' })
    if (row.to !== to) await extendGap(client, row.id, to)
    return row.id
  }
}

/** True for a run of the schedule itself; retries and requested runs are stored by others. */
const isTick = ({ attempt, source }: RunRef): boolean => attempt === 0 && source === 'SCHEDULER'
