import type { CancelTimer, Clock } from '@vedette/wire'
import type { Database } from '../db/database.ts'
import type { SchedulingLog } from './scheduling-log.ts'
import type { ScheduledCheck } from './schedule-entry.ts'
import { readChecks, toScheduledCheck } from './store.ts'
import { workerClassOf } from '../worker-class-of.ts'

const retryMs = 1000
/** An account may have changed all of its checks: they are read in pages, so that no query holds the embedded database long. */
const pageSize = 1000

export interface CheckChangesOptions {
  db: Database
  clock: Clock
  onRuns: (check: ScheduledCheck) => void
  /** Deleted, deactivated, or no longer runnable. */
  onGone: (checkId: string) => Promise<void>
  log: SchedulingLog
}

/** Brings changed checks into the schedule: what changes while a read is under way is read again after it. */
export class CheckChanges {
  readonly #options: CheckChangesOptions
  readonly #changed = new Set<string>()
  #applying: Promise<void> | undefined
  #retry: CancelTimer | undefined

  constructor(options: CheckChangesOptions) {
    this.#options = options
  }

  /** Resolves when the schedule knows the checks as they are now; after a rejection it learns of them by itself. */
  changed(checkIds: readonly string[]): Promise<void> {
    for (const id of checkIds) this.#changed.add(id)
    return this.#applyAll()
  }

  /** The schedule is read anew before it runs again. */
  forget(): void {
    this.#retry?.()
    this.#retry = undefined
    this.#changed.clear()
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
    try {
      await this.#read(ids)
    } catch (error) {
      for (const id of ids) this.#changed.add(id)
      this.#retryLater()
      throw error
    }
  }

  async #read(ids: readonly string[]): Promise<void> {
    const rows = await readChecks(this.#options.db.pool, ids)
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
