import type { CancelTimer, Clock } from '@vedette/wire'
import type { Database } from '../db/database.ts'
import type { CommittedResult } from '../runs.ts'
import { continueBatch } from './continue-batch.ts'
import type { SessionEnds } from './session-ends.ts'
import { readWaitingBatches } from './store.ts'

/** Sessions whose time is over, and turns that a server which ended did not pass on, are found this often. */
const lookEveryMs = 10_000

export interface SessionTurnsOptions {
  db: Database
  clock: Clock
  ends: Pick<SessionEnds, 'perhaps'>
  /** Runs of these checks were stored: the schedule reads them. */
  runsRequested: (checkIds: readonly string[]) => Promise<void>
  log: { error(details: object, text: string): void }
}

/** Passes the turn on in groups whose checks run so many at a time. Any server may: the database decides. */
export class SessionTurns {
  readonly #options: SessionTurnsOptions
  #timer: CancelTimer | undefined
  #passing: Promise<void> | undefined
  #again = false
  #running = false

  constructor(options: SessionTurnsOptions) {
    this.#options = options
  }

  start(): void {
    this.#running = true
    this.#arm()
  }

  async stop(): Promise<void> {
    this.#running = false
    this.#timer?.()
    await this.#passing
  }

  /** Call after a commit: a run of a group may have ended. */
  committed(results: readonly CommittedResult[]): void {
    if (results.some(({ source, resultType }) => source === 'GROUP_RUN_ALL' && resultType === 'FINAL'))
      void this.passOn()
  }

  /** Resolves when every turn that is free now is taken. */
  passOn(): Promise<void> {
    this.#again = true
    this.#passing ??= this.#passAll().finally(() => (this.#passing = undefined))
    return this.#passing
  }

  #arm(): void {
    this.#timer = this.#options.clock.after(lookEveryMs, () => {
      void this.passOn().finally(() => {
        if (this.#running) this.#arm()
      })
    })
  }

  async #passAll(): Promise<void> {
    const { db, clock, ends, runsRequested, log } = this.#options
    while (this.#again) {
      this.#again = false
      try {
        for (const batch of await readWaitingBatches(db.pool)) {
          const { begun, ended } = await db.transaction((client) => continueBatch(client, batch, clock.now()))
          if (begun.length > 0) await runsRequested(begun)
          ends.perhaps([...begun, ...ended])
        }
      } catch (error) {
        log.error({ err: error }, 'The next checks of a group could not be run; trying again.')
      }
    }
  }
}
