import { randomUUID } from 'node:crypto'
import type { Clock } from '@vedette/wire'
import type { PoolClient } from 'pg'
import type { Database } from '../../db/database.ts'
import type { Trouble } from '../../trouble.ts'
import type { DirectDelivery } from './direct-delivery.ts'
import {
  deleteOpenTrouble,
  insertOpenTrouble,
  queueSystemAlerts,
  readOpenTroubles,
  recordDirectOutcome,
} from './store.ts'
import { systemAlerts, type OpenTrouble, type SystemAlert } from './system-alert.ts'

export interface SystemAlertsOptions {
  db: Database
  clock: Clock
  /** Runs a transaction that commits only while this process leads. */
  write: <T>(work: (client: PoolClient) => Promise<T>) => Promise<T>
  /** Whether `write` failed because this process does not lead any more. */
  lostTerm: (error: unknown) => boolean
  direct: DirectDelivery
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
  /** This process leads, or did until the database went away. */
  mayTell: boolean
  /** The database answers. */
  canStore: boolean
  /** The outbox is being looked at. */
  outboxWorks: boolean
}

/** A trouble is alerted, or its end. */
interface Decision {
  open: OpenTrouble
  type: SystemAlert['type']
  alerts: readonly SystemAlert[]
}

interface Watched extends OpenTrouble {
  seenAt: number
}

/**
 * Alerts troubles of the installation: once when one has lasted for a while, and once when it is over. What is alerted
 * is stored with the alert, in one transaction. When that is not possible, the alert is sent directly and written down later.
 */
export class SystemAlerts {
  readonly #options: SystemAlertsOptions
  /** undefined until it is read in this term. */
  #open: Map<string, Watched> | undefined
  readonly #since = new Map<string, number>()
  /** Told directly, not yet stored; in order. */
  #unwritten: Decision[] = []

  constructor(options: SystemAlertsOptions) {
    this.#options = options
  }

  async look(look: HealthLook): Promise<void> {
    if (!look.mayTell) return this.#finish(look)
    const open = await this.#readOpen(look)
    if (open === undefined) return
    const now = this.#options.clock.monotonic()
    const seen = new Map(look.troubles.map((trouble) => [trouble.key, trouble]))
    for (const key of this.#since.keys()) if (!seen.has(key)) this.#since.delete(key)
    for (const trouble of seen.values()) await this.#onSeen(trouble, open, look, now)
    for (const watched of open.values()) await this.#onGone(watched, open, look, now)
    this.#options.direct.look()
    if (look.canStore) await this.#writeDown(this.#options.write)
  }

  /** The process was suspended: what was not seen meanwhile may last. */
  wasSuspended(): void {
    const now = this.#options.clock.monotonic()
    for (const watched of this.#open?.values() ?? []) watched.seenAt = now
    this.#since.clear()
  }

  /** Another server leads now. It does not know what this one told directly: that is ended here. */
  async #finish(look: HealthLook): Promise<void> {
    const { db, clock, direct } = this.#options
    this.#since.clear()
    const open = this.#open ?? new Map<string, Watched>()
    for (const { key } of this.#unwritten.map((decision) => decision.open.trouble)) {
      const watched = open.get(key)
      if (watched === undefined) continue
      if (look.troubles.some((trouble) => trouble.key === key)) watched.seenAt = clock.monotonic()
      else await this.#onGone(watched, open, { ...look, canStore: false }, clock.monotonic())
    }
    direct.look()
    const isOver = this.#unwritten.every((decision) => !open.has(decision.open.trouble.key))
    if (isOver && look.canStore) await this.#writeDown((work) => db.transaction(work))
    if (this.#unwritten.length === 0) this.#open = undefined
  }

  async #readOpen({ canStore }: HealthLook): Promise<Map<string, Watched> | undefined> {
    if (this.#open !== undefined || !canStore) return this.#open
    const seenAt = this.#options.clock.monotonic()
    const rows = await readOpenTroubles(this.#options.db.pool)
    this.#open = new Map(rows.map((row) => [row.trouble.key, { ...row, seenAt }]))
    return this.#open
  }

  async #onSeen(trouble: Trouble, open: Map<string, Watched>, look: HealthLook, now: number): Promise<void> {
    const known = open.get(trouble.key)
    if (known !== undefined) {
      known.seenAt = now
      return
    }
    const since = this.#since.get(trouble.key) ?? now
    this.#since.set(trouble.key, since)
    if (now - since < this.#options.alertedAfterMs) return
    const opened = { id: randomUUID(), trouble, seenAt: now }
    open.set(trouble.key, opened)
    await this.#tell(opened, 'ALERT_SYSTEM', look)
  }

  async #onGone(watched: Watched, open: Map<string, Watched>, look: HealthLook, now: number): Promise<void> {
    if (now - watched.seenAt < this.#options.overAfterMs) return
    open.delete(watched.trouble.key)
    await this.#tell(watched, 'ALERT_SYSTEM_RECOVERY', look)
  }

  async #tell(open: OpenTrouble, type: SystemAlert['type'], look: HealthLook): Promise<void> {
    const { clock, direct, log } = this.#options
    const alerts = systemAlerts(open, { type, decidedAt: clock.now() }, direct.accounts())
    log.warn({ trouble: open.trouble.key, type }, open.trouble.text)
    const decision = { open, type, alerts }
    // What was told directly is written down in order.
    const mayStore = look.canStore && look.outboxWorks && this.#unwritten.length === 0
    if (mayStore && (await this.#isStored(decision))) return
    this.#unwritten.push(decision)
    direct.send(alerts)
  }

  /** True also when another server leads: then it decides. */
  async #isStored(decision: Decision): Promise<boolean> {
    const { write, lostTerm, onQueued, log } = this.#options
    try {
      await write((client) => this.#record(client, decision))
      onQueued()
      return true
    } catch (error) {
      if (lostTerm(error)) {
        this.#open = undefined
        return true
      }
      log.warn({ err: error }, 'An alert of the installation could not be stored; it is sent directly.')
      return false
    }
  }

  async #record(client: PoolClient, { open, type, alerts }: Decision): Promise<void> {
    if (type === 'ALERT_SYSTEM_RECOVERY') await deleteOpenTrouble(client, open.trouble.key)
    else await insertOpenTrouble(client, open, this.#options.clock.now())
    await queueSystemAlerts(client, alerts)
  }

  async #writeDown(write: SystemAlertsOptions['write']): Promise<void> {
    const { direct, log, onQueued } = this.#options
    for (let decision = this.#unwritten[0]; decision !== undefined; decision = this.#unwritten[0]) {
      const outcomes = direct.take(decision.alerts)
      if (outcomes === undefined) return
      try {
        await write(async (client) => {
          await this.#record(client, decision)
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
}
