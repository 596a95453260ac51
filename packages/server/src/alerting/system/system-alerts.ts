import type { Clock } from '@vedette/wire'
import type { PoolClient } from 'pg'
import type { Database } from '../../db/database.ts'
import type { Trouble } from '../../trouble.ts'
import type { DirectDelivery } from './direct-delivery.ts'
import { queueMissing, queueSystemAlerts, readMissing } from './queue-system-alerts.ts'
import { deleteOpenTrouble, insertOpenTrouble, readOpenTroubles, recordDirectOutcome } from './store.ts'
import {
  decisionIdOf,
  systemAlerts,
  toldTogether,
  type Decision,
  type OpenTrouble,
  type SystemAlertType,
} from './system-alert.ts'
import type { ToldFile } from './told-file.ts'
import { TroubleWatch } from './trouble-watch.ts'

export interface SystemAlertsOptions {
  db: Database
  clock: Clock
  /** Runs a transaction that commits only while this process leads. */
  write: <T>(work: (client: PoolClient) => Promise<T>) => Promise<T>
  /** Rejects when the database takes too long: it must not hold up what is told without it. */
  within: <T>(what: string, work: Promise<T>) => Promise<T>
  /** Whether `write` failed because this process does not lead any more. */
  lostTerm: (error: unknown) => boolean
  direct: DirectDelivery
  told: ToldFile
  /** How long a trouble lasts before it is alerted, and is gone before its end is. */
  alertedAfterMs: number
  overAfterMs: number
  /** Notifications were queued. */
  onQueued: () => void
  log: { warn(details: object, text: string): void }
}

/** One look at the installation. */
export interface HealthLook {
  troubles: readonly Trouble[]
  /** How the end of an alerted trouble is told; undefined while it lasts, or is not known to be over. */
  endOf: (trouble: Trouble) => string | undefined
  /** This process leads, or did and no other has since, or nobody has led for long. */
  mayTell: boolean
  /** The database answers. */
  answers: boolean
  /** This process leads, so that it can store. */
  leading: boolean
  /** What is queued is sent: results can be stored, and the outbox is being looked at. */
  outboxWorks: boolean
}

const missingEveryMs = 30_000
/** A file that could not be read or written is tried again after this long: a disk that hangs must not hold up every look. */
const fileAgainMs = 30_000

/**
 * Alerts troubles of the installation: once when one has lasted for a while, and once when it is over. What is alerted
 * is stored with the alert, in one transaction. When that is not possible, the alert is sent directly and written down later.
 */
export class SystemAlerts {
  readonly #options: SystemAlertsOptions
  readonly #watch: TroubleWatch
  /** Told directly, not yet stored; in order. */
  #unwritten: Decision[] = []
  #missingAt = -Infinity
  #isRestored = false
  #restoreAt = -Infinity
  /** As the file has it; undefined while that is not known. */
  #saved: string | undefined
  #unsaved: { text: string; at: number } | undefined

  constructor(options: SystemAlertsOptions) {
    this.#options = options
    this.#watch = new TroubleWatch(options)
  }

  async look(look: HealthLook): Promise<void> {
    if (!this.#isRestored) await this.#restore()
    if (look.answers) await this.#readOpen()
    if (look.mayTell) await this.#decide(look)
    else await this.#leaveToLeader(look)
    await this.#save()
  }

  async #decide(look: HealthLook): Promise<void> {
    if (!this.#watch.isKnown) return
    const { ended, raised } = this.#watch.look(look.troubles, look.endOf)
    if (ended.length > 0) await this.#tell(ended, 'ALERT_SYSTEM_RECOVERY', look)
    for (const together of toldTogether(raised)) {
      const id = decisionIdOf(together)
      const opens = together.map((trouble) => ({ id, trouble }))
      await this.#tell(opens, 'ALERT_SYSTEM', look)
    }
    this.#options.direct.look()
    if (!look.answers || !look.leading) return
    await this.#writeDown(this.#options.write)
    await this.#tellMissing(look)
  }

  /** The process was suspended: what was not seen meanwhile may last. */
  wasSuspended(): void {
    this.#watch.reset()
  }

  /** What this process told directly is written down, so that the leader knows of it and tells its end. */
  async #leaveToLeader({ answers }: HealthLook): Promise<void> {
    const { db, direct, within } = this.#options
    this.#watch.reset()
    direct.look()
    if (answers) await this.#writeDown((work) => within('Storing an alert', db.transaction(work)))
  }

  /** Alerted troubles as the database has them, and those that are not written down yet. */
  async #readOpen(): Promise<void> {
    const { db, within, log } = this.#options
    try {
      const rows = await within('Reading alerted troubles', readOpenTroubles(db.pool))
      const open = new Map(rows.map((one) => [one.trouble.key, one]))
      for (const { opens, type } of this.#unwritten)
        for (const one of opens)
          if (type === 'ALERT_SYSTEM') open.set(one.trouble.key, one)
          else open.delete(one.trouble.key)
      this.#watch.setOpen([...open.values()])
    } catch (error) {
      log.warn({ err: error }, 'Which troubles are alerted could not be read; what was known before stands.')
    }
  }

  async #tell(opens: readonly OpenTrouble[], type: SystemAlertType, look: HealthLook): Promise<void> {
    const { clock, direct, log } = this.#options
    if (look.answers) await this.#readChannels()
    const alerts = systemAlerts(opens, { type, decidedAt: clock.now() }, direct.accounts())
    for (const { trouble } of opens) log.warn({ trouble: trouble.key, type }, trouble.text)
    const decision = { opens, type, alerts }
    // What was told directly is written down in order.
    const mayStore = look.answers && look.leading && look.outboxWorks && this.#unwritten.length === 0
    const stored = mayStore ? await this.#store(decision) : 'not'
    if (stored === 'left') return
    if (type === 'ALERT_SYSTEM') this.#watch.opened(opens)
    else this.#watch.ended(opens)
    if (stored === 'stored') return
    this.#unwritten.push(decision)
    direct.add(alerts)
    // Before it is sent: after a crash it goes on under the same ids.
    await this.#save()
    direct.look()
  }

  async #restore(): Promise<void> {
    const { told, direct, clock, log } = this.#options
    if (clock.monotonic() - this.#restoreAt < fileAgainMs) return
    this.#restoreAt = clock.monotonic()
    try {
      const before = await told.load()
      this.#unwritten.unshift(...(before?.decisions ?? []))
      direct.restore(before?.messages ?? [])
      this.#isRestored = true
    } catch (error) {
      log.warn({ err: error }, 'What was alerted directly before the restart could not be read.')
    }
  }

  /** Not before the file was read: what it holds would be lost. */
  async #save(): Promise<void> {
    const { told, direct, clock, log } = this.#options
    const now = { decisions: this.#unwritten, messages: direct.messages() }
    const text = this.#unwritten.length === 0 ? '' : JSON.stringify(now)
    const at = clock.monotonic()
    const isTried = text === this.#unsaved?.text && at - this.#unsaved.at < fileAgainMs
    if (!this.#isRestored || text === this.#saved || isTried) return
    try {
      await told.save(now)
      this.#saved = text
    } catch (error) {
      this.#saved = undefined
      this.#unsaved = { text, at }
      log.warn({ err: error }, 'What is alerted directly could not be kept for a restart.')
    }
  }

  async #readChannels(): Promise<void> {
    const { direct, within, log } = this.#options
    try {
      await within('Reading channels', direct.refresh(true))
    } catch (error) {
      log.warn({ err: error }, 'Channels could not be read; alerts go to those known before.')
    }
  }

  /** `left`: another server leads, and decides. */
  async #store(decision: Decision): Promise<'stored' | 'left' | 'not'> {
    const { write, lostTerm, onQueued, log } = this.#options
    try {
      await write((client) => this.#record(client, decision, false))
      onQueued()
      return 'stored'
    } catch (error) {
      if (lostTerm(error)) return 'left'
      log.warn({ err: error }, 'An alert of the installation could not be stored; it is sent directly.')
      return 'not'
    }
  }

  async #record(client: PoolClient, { opens, type, alerts }: Decision, wasSent: boolean): Promise<void> {
    const now = this.#options.clock.now()
    for (const open of opens)
      if (type === 'ALERT_SYSTEM_RECOVERY') await deleteOpenTrouble(client, open)
      else await insertOpenTrouble(client, open, now)
    await queueSystemAlerts(client, alerts, wasSent)
  }

  async #writeDown(write: SystemAlertsOptions['write']): Promise<void> {
    const { direct, log, onQueued } = this.#options
    for (let decision = this.#unwritten[0]; decision !== undefined; decision = this.#unwritten[0]) {
      const outcomes = direct.take(decision.alerts)
      if (outcomes === undefined) return
      try {
        await write(async (client) => {
          await this.#record(client, decision, true)
          for (const outcome of outcomes) await recordDirectOutcome(client, outcome)
        })
      } catch (error) {
        direct.giveBack(decision.alerts)
        log.warn({ err: error }, 'What was alerted directly cannot be written down yet.')
        return
      }
      direct.forget(decision.alerts)
      this.#unwritten.shift()
      onQueued()
    }
  }

  /** Tells channels that do not know of a trouble that lasts: those added since, and those that did not accept it. */
  async #tellMissing({ outboxWorks }: HealthLook): Promise<void> {
    const { db, clock, within, write, onQueued, log } = this.#options
    const opens = this.#watch.open()
    const isDue = clock.monotonic() - this.#missingAt >= missingEveryMs
    if (!isDue || !outboxWorks || opens.length === 0 || this.#unwritten.length > 0) return
    this.#missingAt = clock.monotonic()
    try {
      const missing = await within('Reading who knows', readMissing(db.pool, opens, clock.now()))
      if (missing.length === 0) return
      await write((client) => queueMissing(client, missing))
      onQueued()
    } catch (error) {
      log.warn({ err: error }, 'Channels that do not know of a trouble could not be told of it.')
    }
  }
}
