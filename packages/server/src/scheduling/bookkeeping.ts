import type { CancelTimer, Clock } from '@vedette/wire'
import type { Queryable } from '../db/database.ts'
import { TermOver, type Leadership } from './leadership/leadership.ts'
import type { SchedulingLog } from './scheduling-log.ts'
import type { Availability, Outage } from './availability.ts'
import { addOverlaps, extendGap, insertGap, insertLocationGap, writeWatermark, type Gap } from './store.ts'

const everyMs = 2000

export interface BookkeepingOptions {
  clock: Clock
  leadership: Pick<Leadership, 'write'>
  role: string
  /** All slots up to here have ended. */
  watermark: () => number
  /** Locations without agents: their gaps grow while the outage lasts. */
  availability: Pick<Availability, 'outages' | 'written'>
  log: SchedulingLog
}

/** Stores the scheduler's state every few seconds: watermark, gaps and dropped ticks. */
export class Bookkeeping {
  readonly #options: BookkeepingOptions
  #overlaps = new Map<string, number>()
  #gaps: Gap[] = []
  /** Rows of gaps that still grow. */
  readonly #rows = new WeakMap<Outage, { id: number; to: number }>()
  #timer: CancelTimer | undefined
  #writing: Promise<void> = Promise.resolve()
  #running = false

  constructor(options: BookkeepingOptions) {
    this.#options = options
  }

  start(): void {
    this.#running = true
    this.#arm(0)
  }

  async stop(): Promise<void> {
    this.#running = false
    this.#timer?.()
    await this.#writing
    this.#overlaps.clear()
    this.#gaps = []
  }

  overlap(checkId: string): void {
    this.#overlaps.set(checkId, (this.#overlaps.get(checkId) ?? 0) + 1)
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
    const overlaps = this.#overlaps
    const gaps = this.#gaps
    this.#overlaps = new Map()
    this.#gaps = []
    const watermark = this.#options.watermark()
    const outages = this.#options.availability.outages().map((outage) => ({ outage, ...outage }))
    try {
      const rows = await this.#options.leadership.write(async (client) => {
        for (const gap of gaps) await insertGap(client, gap)
        if (overlaps.size > 0) await addOverlaps(client, overlaps)
        await writeWatermark(client, this.#options.role, watermark)
        return Promise.all(outages.map((one) => this.#writeOutage(client, one)))
      })
      for (const [at, { outage, to }] of outages.entries()) this.#rows.set(outage, { id: rows[at] ?? 0, to })
      this.#options.availability.written(new Map(outages.map(({ outage, to }) => [outage, to])))
    } catch (error) {
      if (error instanceof TermOver) return
      this.#options.log.error({ err: error }, 'The schedule could not be written down; trying again.')
      this.#gaps.unshift(...gaps)
      for (const [checkId, n] of overlaps) this.#overlaps.set(checkId, (this.#overlaps.get(checkId) ?? 0) + n)
    }
  }

  async #writeOutage(client: Queryable, { outage, location, from, to }: Outage & { outage: Outage }): Promise<number> {
    const row = this.#rows.get(outage)
    if (row === undefined)
      return insertLocationGap(client, { location, from, to, reason: 'No agent served the location.' })
    if (row.to !== to) await extendGap(client, row.id, to)
    return row.id
  }
}
