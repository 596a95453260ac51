import { locationSampleDays, type CancelTimer, type Clock } from '@vedette/wire'
import type { Database } from '../db/database.ts'
import { deleteAssetsBefore, type AssetStore } from '../assets/index.ts'
import { dropExpiredPartitions, ensurePartitions, oldestDay, readCover } from '../db/partitions.ts'
import { purgedBefore } from '../db/restorable.ts'
import {
  deleteExpiredEvents,
  deleteExpiredSignIns,
  deleteOldSamples,
  deleteOldSessions,
  purgeDeleted,
} from './store.ts'

const everyMs = 3600_000
const dayMs = 24 * everyMs
const eventsKeptMs = 30 * dayMs
/** As long as results. */
const sessionsKeptMs = 30 * dayMs

interface Options {
  db: Database
  clock: Clock
  assets: AssetStore
  log: { info(details: object, text: string): void; error(details: object, text: string): void }
}

/**
 * Hourly: creates partitions ahead, deletes results with their files, events and check sessions older than 30 days, samples of private locations
 * older than 15, sign-ins that ended, and the secrets of what was deleted more than a day ago.
 */
export class Housekeeping {
  readonly #options: Options
  #timer: CancelTimer | undefined
  #running: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(options: Options) {
    this.#options = options
  }

  /**
   * Resolves when today's results can be stored. What is past retention is deleted meanwhile: it may take long, and no
   * server waits for it.
   */
  async start(): Promise<void> {
    await this.#prepareDays()
    this.#running = this.#deleteExpired()
    this.#arm()
  }

  /** Resolves after the current round. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#timer?.()
    await this.#running
  }

  #arm(): void {
    if (this.#stopped) return
    this.#timer = this.#options.clock.after(everyMs, () => {
      this.#running = this.#running.then(() => this.#round()).finally(() => this.#arm())
    })
  }

  async #round(): Promise<void> {
    const { db, clock } = this.#options
    await this.#attempt('Partitions could not be created', async () => void (await ensurePartitions(db, clock.now())))
    await this.#deleteExpired()
  }

  /** Creating the days to come may have to wait for a long read, of a back-up for example: they have a week of time. */
  async #prepareDays(): Promise<void> {
    const { db, clock, log } = this.#options
    try {
      await ensurePartitions(db, clock.now())
    } catch (error) {
      if (!(await readCover(db)).covers(clock.now())) throw error
      log.error({ err: error }, 'Partitions of the next days could not be created; trying again in an hour.')
    }
  }

  async #deleteExpired(): Promise<void> {
    const { db, clock } = this.#options
    const now = clock.now()
    await this.#attempt('Results past retention could not be deleted', () => this.#dropResults(now))
    await this.#attempt('Files of results past retention could not be deleted', () => this.#dropAssets())
    await this.#attempt('Events past retention could not be deleted', () =>
      deleteExpiredEvents(db, new Date(now - eventsKeptMs)),
    )
    await this.#attempt('Samples of private locations past retention could not be deleted', () =>
      deleteOldSamples(db, { samples: new Date(now - locationSampleDays * dayMs), agents: new Date(now - dayMs) }),
    )
    await this.#attempt('Check sessions past retention could not be deleted', () =>
      deleteOldSessions(db, new Date(now - sessionsKeptMs)),
    )
    await this.#attempt('What was deleted could not be purged', () => purgeDeleted(db, purgedBefore(new Date(now))))
    await this.#attempt('Expired sessions could not be deleted', () => deleteExpiredSignIns(db, new Date(now)))
  }

  async #dropResults(now: number): Promise<void> {
    const { db, log } = this.#options
    const dropped = await dropExpiredPartitions(db, now)
    if (dropped.length > 0) log.info({ dropped }, 'Raw results older than 30 days were dropped.')
  }

  /** Files go with the day of their result, and stay as long as that does. */
  async #dropAssets(): Promise<void> {
    const { db, assets } = this.#options
    const oldest = await oldestDay(db)
    if (oldest === undefined) return
    await assets.removeBefore(oldest)
    await deleteAssetsBefore(db, oldest)
  }

  /** A step that fails does not keep the others from being done. */
  async #attempt(trouble: string, step: () => Promise<void>): Promise<void> {
    try {
      await step()
    } catch (error) {
      this.#options.log.error({ err: error }, `${trouble}; trying again in an hour.`)
    }
  }
}
