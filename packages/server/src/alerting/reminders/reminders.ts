import type { CancelTimer, Clock } from '@vedette/wire'
import type { Database } from '../../db/database.ts'
import type { AttemptLog } from '../delivery/attempt-notification.ts'
import { queueNotifications } from '../notifications/queue-notifications.ts'
import { readUnwatched, renewWaits, takeUnwatched } from './unwatched-store.ts'
import { lockTrouble, readTroubles, type Trouble } from './reminder-store.ts'

export interface RemindersOptions {
  db: Database
  clock: Clock
  log?: AttemptLog
  /** Called after reminders were committed. */
  onQueued(): void
}

/** The shortest interval of a reminder: no reminder is more than this late. */
const lookMs = 60_000

/**
 * Repeats alerts while their trouble lasts, as the alert settings define, and notifies of checks that nothing was known
 * of for too long. Nothing is kept in memory: what is due follows from what is stored, so nothing is lost or repeated
 * over a restart or with several servers. Waits are measured by the clock of the database, which all servers share.
 */
export class Reminders {
  readonly #options: RemindersOptions
  #timer: CancelTimer | undefined
  #looking: Promise<void> = Promise.resolve()
  #running = false

  constructor(options: RemindersOptions) {
    this.#options = options
  }

  start(): void {
    this.#running = true
    this.#look()
  }

  async stop(): Promise<void> {
    this.#running = false
    this.#timer?.()
    await this.#looking
  }

  #look(): void {
    this.#looking = this.#remind()
      .catch((error: unknown) => {
        this.#options.log?.error({ err: error }, 'Reminders could not be looked for.')
        return lookMs
      })
      .then((delayMs) => {
        if (this.#running) this.#timer = this.#options.clock.after(delayMs, () => this.#look())
      })
  }

  /** Queues what is due. Returns the milliseconds until something may be due again. */
  async #remind(): Promise<number> {
    const { db } = this.#options
    const troubles = await readTroubles(db.pool)
    const due = troubles.filter(isDue)
    let queued = 0
    for (const { checkId } of due) queued += await this.#remindOf(checkId)
    await renewWaits(db.pool)
    for (const checkId of await readUnwatched(db.pool)) queued += await this.#notifyUnwatched(checkId)
    if (queued > 0) this.#options.onQueued()
    const waits = troubles
      .filter((trouble) => !due.includes(trouble))
      .flatMap((trouble) => reminderDueInMs(trouble) ?? [])
    return Math.max(0, Math.min(lookMs, ...waits))
  }

  #notifyUnwatched(checkId: string): Promise<number> {
    const { db, clock } = this.#options
    return db.transaction(async (client) => {
      const alert = await takeUnwatched(client, checkId, clock.now())
      return alert ? queueNotifications(client, [alert]) : 0
    })
  }

  #remindOf(checkId: string): Promise<number> {
    const { db, clock } = this.#options
    return db.transaction(async (client) => {
      const trouble = await lockTrouble(client, checkId)
      return trouble && isDue(trouble) ? queueNotifications(client, [trouble.reminderAt(clock.now())]) : 0
    })
  }
}

function isDue(trouble: Trouble): boolean {
  const inMs = reminderDueInMs(trouble)
  return inMs !== undefined && inMs <= 0
}

/** Clocks are corrected by less. */
const setBackMs = 60_000

/**
 * Milliseconds until the next reminder of a trouble is due; undefined when there is none. An alert of the future was
 * recorded before the clock of the database was set back: what it is to wait for is not known, and its reminder is due.
 */
function reminderDueInMs({ last, settings: { reminders } }: Trouble): number | undefined {
  if (last.reminder >= reminders.amount) return undefined
  return last.passedMs < -setBackMs ? 0 : reminders.interval * 60_000 - last.passedMs
}
