import type { CancelTimer, Clock } from '@vedette/wire'
import type { Database } from '../db/database.ts'
import { dropExpiredPartitions, ensurePartitions } from '../db/partitions.ts'
import { deleteExpiredEvents, deleteExpiredSignIns } from './store.ts'

const everyMs = 3600_000
const eventsKeptMs = 30 * 24 * everyMs

interface Options {
  db: Database
  clock: Clock
  log: { info(details: object, text: string): void; error(details: object, text: string): void }
}

/** Hourly: creates partitions ahead, deletes results and events older than 30 days and sessions that ended. */
export class Housekeeping {
  readonly #options: Options
  #timer: CancelTimer | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(options: Options) {
    this.#options = options
  }

  /** Resolves after the first round: without today's partition no result can be stored. */
  async start(): Promise<void> {
    await this.#round()
    this.#arm()
  }

  async stop(): Promise<void> {
    this.#timer?.()
    await this.#running
  }

  #arm(): void {
    this.#timer = this.#options.clock.after(everyMs, () => {
      this.#running = this.#round()
        .catch((error: unknown) =>
          this.#options.log.error({ err: error }, 'Housekeeping failed; trying again in an hour.'),
        )
        .finally(() => this.#arm())
    })
  }

  async #round(): Promise<void> {
    const { db, clock, log } = this.#options
    const now = clock.now()
    await ensurePartitions(db, now)
    const dropped = await dropExpiredPartitions(db, now)
    if (dropped.length > 0) log.info({ dropped }, 'Raw results older than 30 days were dropped.')
    await deleteExpiredEvents(db, new Date(now - eventsKeptMs))
    await deleteExpiredSignIns(db, new Date(now))
  }
}
