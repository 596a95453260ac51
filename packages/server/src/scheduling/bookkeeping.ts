import type { CancelTimer, Clock } from '@vedette/wire'
import { TermOver, type Leadership } from './leadership.ts'
import type { SchedulingLog } from './result-sink.ts'
import { addOverlaps, insertGap, writeWatermark, type Gap } from './store.ts'

const everyMs = 2000

export interface BookkeepingOptions {
  clock: Clock
  leadership: Pick<Leadership, 'write'>
  role: string
  /** All slots up to here have ended. */
  watermark: () => number
  log: SchedulingLog
}

/** What the scheduler writes down every few seconds: how far it got, what it left out, what it dropped. */
export class Bookkeeping {
  readonly #options: BookkeepingOptions
  #overlaps = new Map<string, number>()
  #gaps: Gap[] = []
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

  /** Writes what there is now. */
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
    try {
      await this.#options.leadership.write(async (client) => {
        for (const gap of gaps) await insertGap(client, gap)
        if (overlaps.size > 0) await addOverlaps(client, overlaps)
        await writeWatermark(client, this.#options.role, this.#options.watermark())
      })
    } catch (error) {
      if (error instanceof TermOver) return
      this.#options.log.error({ err: error }, 'The schedule could not be written down; trying again.')
      this.#gaps.unshift(...gaps)
      for (const [checkId, n] of overlaps) this.#overlaps.set(checkId, (this.#overlaps.get(checkId) ?? 0) + n)
    }
  }
}
