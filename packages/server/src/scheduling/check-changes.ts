import type { Database } from '../db/database.ts'
import type { ScheduledCheck } from './schedule-entry.ts'
import { readChecks, toScheduledCheck, type LaneOf } from './store.ts'

export interface CheckChangesOptions {
  db: Database
  laneOf: LaneOf
  onRuns: (check: ScheduledCheck) => void
  /** Deleted, deactivated, or no longer runnable. */
  onGone: (checkId: string) => Promise<void>
}

/** Brings changed checks into the schedule: what changes while a read is under way is read again after it. */
export class CheckChanges {
  readonly #options: CheckChangesOptions
  #changed = new Set<string>()
  #applying: Promise<void> | undefined

  constructor(options: CheckChangesOptions) {
    this.#options = options
  }

  /** Resolves when the schedule knows the check as it is now. */
  changed(checkId: string): Promise<void> {
    this.#changed.add(checkId)
    this.#applying ??= this.#applyAll().finally(() => (this.#applying = undefined))
    return this.#applying
  }

  async #applyAll(): Promise<void> {
    while (this.#changed.size > 0) await this.#apply()
  }

  async #apply(): Promise<void> {
    const ids = [...this.#changed]
    this.#changed = new Set()
    const rows = await readChecks(this.#options.db.pool, ids)
    const running = new Set<string>()
    for (const row of rows) {
      const check = toScheduledCheck(row, this.#options.laneOf)
      if (check === undefined) continue
      running.add(check.checkId)
      this.#options.onRuns(check)
    }
    for (const id of ids) if (!running.has(id)) await this.#options.onGone(id)
  }
}
