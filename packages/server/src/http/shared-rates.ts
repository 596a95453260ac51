import type { CancelTimer, Clock } from '@vedette/wire'
import type { Database, DatabaseLog } from '../db/database.ts'
import { countRequests, deleteEndedWindows } from './rate-windows-store.ts'

/** Requests of one caller that this server counts in one window. */
export interface CallerWindow {
  /** Monotonic. */
  from: number
  count: number
}

/** Between two statements: what other servers admit of a caller meanwhile goes beyond its limit. */
const shareEveryMs = 250
const tidyEveryMs = 60_000

interface Uncounted {
  window: CallerWindow
  requests: number
  windowMs: number
}

interface SharedRatesOptions {
  db: Database
  clock: Pick<Clock, 'monotonic' | 'after'>
  log: DatabaseLog
}

/**
 * Counts requests together with the other servers on the same database: admitted ones are added to the windows there,
 * those of all callers with one statement, and the windows here take over the counts of all. No request waits for it.
 * While the database does not answer, each server counts alone.
 */
export class SharedRates {
  readonly #options: SharedRatesOptions
  #uncounted = new Map<string, Uncounted>()
  #timer: CancelTimer | undefined
  #sharing: Promise<void> | undefined
  #tidiedAt: number
  #failing = false
  #stopped = false

  constructor(options: SharedRatesOptions) {
    this.#options = options
    this.#tidiedAt = options.clock.monotonic()
  }

  /** Takes note of an admitted request that the window counts already. */
  admitted(key: string, window: CallerWindow, windowMs: number): void {
    const known = this.#uncounted.get(key)
    if (known?.window === window) known.requests++
    else this.#uncounted.set(key, { window, requests: 1, windowMs })
    this.#schedule()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#timer?.()
    await this.#sharing
  }

  #schedule(): void {
    if (this.#stopped || this.#timer !== undefined || this.#sharing !== undefined) return
    this.#timer = this.#options.clock.after(shareEveryMs, () => {
      this.#timer = undefined
      this.#sharing = this.#share().finally(() => {
        this.#sharing = undefined
        if (this.#uncounted.size > 0) this.#schedule()
      })
    })
  }

  async #share(): Promise<void> {
    const sent = this.#uncounted
    this.#uncounted = new Map()
    try {
      await this.#count(sent)
      await this.#tidy()
      this.#failing = false
    } catch (error) {
      this.#keep(sent)
      if (!this.#failing)
        this.#options.log.error({ err: error }, 'Requests could not be counted together with other servers.')
      this.#failing = true
    }
  }

  async #count(sent: ReadonlyMap<string, Uncounted>): Promise<void> {
    const { db, clock } = this.#options
    const requests = [...sent].map(([key, { requests, windowMs }]) => ({ key, requests, windowMs }))
    for (const { key, requests: total, leftMs } of await countRequests(db.pool, requests)) {
      const one = sent.get(key)
      if (one === undefined) continue
      const later = this.#uncounted.get(key)
      one.window.count = total + (later?.window === one.window ? later.requests : 0)
      one.window.from = clock.monotonic() + leftMs - one.windowMs
    }
  }

  /** What was not counted is sent with the next, unless the caller has a new window by then. */
  #keep(sent: ReadonlyMap<string, Uncounted>): void {
    for (const [key, one] of sent) {
      const later = this.#uncounted.get(key)
      if (later === undefined) this.#uncounted.set(key, one)
      else if (later.window === one.window) later.requests += one.requests
    }
  }

  async #tidy(): Promise<void> {
    const { db, clock } = this.#options
    if (clock.monotonic() - this.#tidiedAt < tidyEveryMs) return
    this.#tidiedAt = clock.monotonic()
    await deleteEndedWindows(db.pool)
  }
}
