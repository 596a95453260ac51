import type { CancelTimer, Clock } from '@vedette/wire'
import type { Database } from '../../db/database.ts'
import type { AttemptLog } from '../delivery/attempt-notification.ts'
import { queueNotifications } from '../notifications/queue-notifications.ts'
import { readExpiring } from './certificate-store.ts'
import { expiryAlert } from './expiry-alert.ts'

export interface CertificateWatchOptions {
  db: Database
  clock: Clock
  log?: AttemptLog
  /** Called after notifications were committed. */
  onQueued(): void
}

/** Delay after a start, so that runs can see renewed certificates first. */
const firstLookMs = 60_000
const lookMs = 3_600_000
const batch = 200

/**
 * Notifies channels of certificates that end soon. Nothing is kept in memory: the ledger records which channel was
 * notified of which certificate, so nothing is lost or repeated over a restart or with several servers.
 */
export class CertificateWatch {
  readonly #options: CertificateWatchOptions
  #timer: CancelTimer | undefined
  #looking: Promise<void> = Promise.resolve()
  #running = false

  constructor(options: CertificateWatchOptions) {
    this.#options = options
  }

  start(): void {
    this.#running = true
    this.#arm(firstLookMs)
  }

  async stop(): Promise<void> {
    this.#running = false
    this.#timer?.()
    await this.#looking
  }

  #arm(delayMs: number): void {
    if (!this.#running) return
    this.#timer = this.#options.clock.after(delayMs, () => {
      this.#looking = this.#look().then(
        () => this.#arm(lookMs),
        (error: unknown) => {
          this.#options.log?.error({ err: error }, 'Expiring certificates could not be looked for.')
          this.#arm(firstLookMs)
        },
      )
    })
  }

  async #look(): Promise<void> {
    const { db, clock } = this.#options
    for (let more = true; more && this.#running;) {
      const now = clock.now()
      const rows = await readExpiring(db.pool, now, batch)
      if (rows.length === 0) return
      const alerts = rows.map((row) => expiryAlert(row, now))
      const queued = await db.transaction((client) => queueNotifications(client, alerts))
      if (queued > 0) this.#options.onQueued()
      // When none was queued, another server was faster or a channel changed meanwhile. The next look handles the rest.
      more = queued > 0 && rows.length === batch
    }
  }
}
