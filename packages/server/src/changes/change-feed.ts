import type { CancelTimer, Clock } from '@vedette/wire'
import type { Database, DatabaseLog } from '../db/database.ts'
import { answeredWithin } from '../db/silence.ts'
import { deleteOldChanges, readChanges, readPosition, type Change, type Position } from './store.ts'

/** Announcements may be lost: changes are looked for this often without one. */
const lookEveryMs = 1000
const answerMs = 3000
const tidyEveryMs = 60_000
/** A server that could not look for so long does not lead any more, and its caches have expired. */
const keptMinutes = 30

export interface ChangeFeedOptions {
  db: Database
  clock: Clock
  log: DatabaseLog
  /** Takes note of changes. When it rejects, they are passed again. */
  apply: (changes: readonly Change[]) => Promise<void>
}

/**
 * Brings what other servers on the same database have written to this one: at once by an announcement, within about a
 * second when that is lost. On the embedded database, which has one server, it does nothing.
 */
export class ChangeFeed {
  readonly #options: ChangeFeedOptions
  #position: Position | undefined
  #listener: { stop(): Promise<void> } | undefined
  #timer: CancelTimer | undefined
  #looking: Promise<void> | undefined
  #lookAgain = false
  #running = false
  #tidiedAt = -Infinity
  #failing = false

  constructor(options: ChangeFeedOptions) {
    this.#options = options
  }

  /** Resolves when changes from now on will be passed: what is read after that misses nothing. */
  async start(): Promise<void> {
    const { peers, pool } = this.#options.db
    if (peers === undefined) return
    this.#position = await readPosition(pool)
    this.#running = true
    this.#listener = peers.listen(() => this.#look())
    this.#look()
  }

  async stop(): Promise<void> {
    this.#running = false
    this.#timer?.()
    await this.#listener?.stop()
    await this.#looking
  }

  #look(): void {
    if (!this.#running) return
    if (this.#looking !== undefined) {
      this.#lookAgain = true
      return
    }
    this.#timer?.()
    this.#looking = this.#once().finally(() => {
      this.#looking = undefined
      if (this.#running) this.#timer = this.#options.clock.after(this.#nextInMs(), () => this.#look())
    })
  }

  #nextInMs(): number {
    const again = this.#lookAgain && !this.#failing
    this.#lookAgain = false
    return again ? 0 : lookEveryMs
  }

  async #once(): Promise<void> {
    try {
      await this.#takeChanges()
      await this.#tidy()
      this.#failing = false
    } catch (error) {
      if (!this.#failing)
        this.#options.log.error({ err: error }, 'Changes of other servers could not be read; trying again.')
      this.#failing = true
    }
  }

  async #takeChanges(): Promise<void> {
    const { db, apply } = this.#options
    if (db.peers === undefined || this.#position === undefined) return
    const since = { self: db.peers.self, since: this.#position }
    const { changes, position } = await readChanges(answeredWithin(db.pool, answerMs), since)
    if (changes.length > 0) await apply(changes)
    this.#position = position
  }

  async #tidy(): Promise<void> {
    const now = this.#options.clock.monotonic()
    if (now - this.#tidiedAt < tidyEveryMs) return
    await deleteOldChanges(this.#options.db.pool, keptMinutes)
    this.#tidiedAt = now
  }
}
