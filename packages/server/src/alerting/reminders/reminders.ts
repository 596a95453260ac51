import { mostAheadMs, type CancelTimer, type Clock } from '@vedette/wire'
import type { Database } from '../../db/database.ts'
import type { AttemptLog } from '../delivery/attempt-notification.ts'
import { readReleased, takeReleased } from '../parents/held-store.ts'
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
 * of for too long, and of those whose alerts no parent holds back any more. Nothing is kept in memory: what is due follows from what is stored, so nothing is lost or repeated
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
    this.#looking = this.#tried(lookMs, {}, () => this.#remind()).then((delayMs) => {
      if (this.#running) this.#timer = this.#options.clock.after(delayMs, () => this.#look())
    })
  }

  /** Queues what is due. Returns the milliseconds until something may be due again. */
  async #remind(): Promise<number> {
    const { db, clock } = this.#options
    const troubles = await this.#tried([], {}, () => readTroubles(db.pool, clock.now()))
    const due = troubles.filter(isDue)
    const idsOfDue = due.map(({ checkId }) => checkId)
    await this.#queueEach(idsOfDue, (checkId) => this.#remindOf(checkId))
    await this.#tried(undefined, {}, () => renewWaits(db.pool))
    const unwatched = await this.#tried([], {}, () => readUnwatched(db.pool, clock.now()))
    await this.#queueEach(unwatched, (checkId) => this.#notifyUnwatched(checkId))
    const released = await this.#tried([], {}, () => readReleased(db.pool, clock.now()))
    await this.#queueEach(released, (checkId) => this.#notifyReleased(checkId))
    const waits = troubles
      .filter((trouble) => !due.includes(trouble))
      .flatMap((trouble) => reminderDueInMs(trouble) ?? [])
    return Math.max(0, Math.min(lookMs, ...waits))
  }

  /** A check that fails keeps no other from its alert: it is tried again at the next look. */
  async #queueEach(checkIds: readonly string[], queue: (checkId: string) => Promise<number>): Promise<void> {
    for (const checkId of checkIds)
      if (this.#running && (await this.#tried(0, { checkId }, () => queue(checkId))) > 0) this.#options.onQueued()
  }

  async #tried<T>(otherwise: T, about: object, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      this.#options.log?.error({ err: error, ...about }, 'Reminders could not be looked for.')
      return otherwise
    }
  }

  #notifyUnwatched(checkId: string): Promise<number> {
    const { db, clock } = this.#options
    return db.transaction(async (client) => {
      const alert = await takeUnwatched(client, checkId, clock.now())
      return alert ? queueNotifications(client, [alert]) : 0
    })
  }

  #notifyReleased(checkId: string): Promise<number> {
    const { db, clock } = this.#options
    return db.transaction(async (client) =>
      queueNotifications(client, await takeReleased(client, checkId, clock.now())),
    )
  }

  #remindOf(checkId: string): Promise<number> {
    const { db, clock } = this.#options
    return db.transaction(async (client) => {
      const trouble = await lockTrouble(client, checkId, clock.now())
      return trouble && isDue(trouble) ? queueNotifications(client, [trouble.reminderAt(clock.now())]) : 0
    })
  }
}

function isDue(trouble: Trouble): boolean {
  const inMs = reminderDueInMs(trouble)
  return inMs !== undefined && inMs <= 0
}

/**
 * Milliseconds until the next reminder of a trouble is due; undefined when there is none. An alert of the future was
 * recorded before the clock of the database was set back: what it is to wait for is not known, and its reminder is due.
 */
function reminderDueInMs({ last, settings: { reminders } }: Trouble): number | undefined {
  if (last.reminder >= reminders.amount) return undefined
  return last.passedMs < -mostAheadMs ? 0 : reminders.interval * 60_000 - last.passedMs
}
