import type { CancelTimer, Clock } from '@vedette/wire'
import type { Database } from '../db/database.ts'
import type { SchedulingLog } from './scheduling-log.ts'
import type { ScheduledCheck } from './schedule-entry.ts'
import { readChecks, toScheduledCheck } from './store.ts'
import { workerClassOf } from '../worker-class-of.ts'

const retryMs = 1000
/** Checks are read in pages: an account may change all of its checks, and the embedded database has one connection. */
const pageSize = 1000

export interface CheckChangesOptions {
  db: Database
  clock: Clock
  onRuns: (check: ScheduledCheck) => void
  /** Deleted, deactivated, or no longer runnable. */
  onGone: (checkId: string) => Promise<void>
  log: SchedulingLog
}

/** Brings changed checks into the schedule. A check that changes while it is read is read again. */
export class CheckChanges {
  readonly #options: CheckChangesOptions
  readonly #changed = new Set<string>()
  #applying: Promise<void> | undefined
  #retry: CancelTimer | undefined
  /** Counts terms: what was read before the end of one is old in the next. */
  #term = 0

  constructor(options: CheckChangesOptions) {
    this.#options = options
  }

  /** Resolves when the schedule has the current state of the checks. After a rejection it is tried again. */
  changed(checkIds: readonly string[]): Promise<void> {
    for (const id of checkIds) this.#changed.add(id)
    return this.#applyAll()
  }

  /** Drops changes: the schedule is read anew before it runs again. */
  forget(): void {
    this.#retry?.()
    this.#retry = undefined
    this.#changed.clear()
    this.#term++
  }

  #applyAll(): Promise<void> {
    this.#applying ??= this.#applyEach().finally(() => (this.#applying = undefined))
    return this.#applying
  }

  async #applyEach(): Promise<void> {
    while (this.#changed.size > 0) await this.#apply()
  }

  async #apply(): Promise<void> {
    const ids = [...this.#changed].slice(0, pageSize)
    for (const id of ids) this.#changed.delete(id)
    const term = this.#term
    try {
      await this.#read(ids, term)
    } catch (error) {
      if (term !== this.#term) return
      for (const id of ids) this.#changed.add(id)
      this.#retryLater()
      throw error
    }
  }

  async #read(ids: readonly string[], term: number): Promise<void> {
    const rows = await readChecks(this.#options.db.pool, this.#options.clock.now(), ids)
    if (term !== this.#term) return
    const running = new Set<string>()
    for (const row of rows) {
      const check = toScheduledCheck(row, workerClassOf)
      if (check === undefined) continue
      running.add(check.checkId)
      this.#options.onRuns(check)
    }
    for (const id of ids) if (!running.has(id)) await this.#options.onGone(id)
  }

  #retryLater(): void {
    this.#retry ??= this.#options.clock.after(retryMs, () => {
      this.#retry = undefined
      this.#applyAll().catch((error: unknown) =>
        this.#options.log.error({ err: error }, 'Changed checks could not be read; trying again.'),
      )
    })
  }
}
