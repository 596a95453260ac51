import type { Clock } from '@vedette/wire'
import type { CommittedResult } from '../../runs.ts'
import type { HealthFacts } from './facts.ts'

/** Counts the runs that ended as not known since the last known outcome, of all checks that run at locations. */
export class UnknownRuns {
  readonly #clock: Clock
  readonly #exceptAccount: string
  #unknown: { count: number; since: number; cause: string | null } | undefined

  /** The account of the canary counts for nothing: its run fails on purpose. */
  constructor(clock: Clock, exceptAccount: string) {
    this.#clock = clock
    this.#exceptAccount = exceptAccount
  }

  stored(results: readonly CommittedResult[]): void {
    for (const { accountId, location, outcome, resultType, cause, repeated } of results) {
      // Results of passive checks come from no run.
      if (accountId === this.#exceptAccount || location === null || repeated === true) continue
      if (outcome !== 'unknown') this.#unknown = undefined
      else if (resultType === 'FINAL') {
        const { count, since } = this.#unknown ?? { count: 0, since: this.#clock.monotonic() }
        this.#unknown = { count: count + 1, since, cause }
      }
    }
  }

  condition(): HealthFacts['unknownRuns'] {
    if (this.#unknown === undefined) return { count: 0, forMs: 0, cause: null }
    const { count, since, cause } = this.#unknown
    return { count, forMs: this.#clock.monotonic() - since, cause }
  }
}
