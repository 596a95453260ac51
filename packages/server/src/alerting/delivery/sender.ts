import { randomUUID } from 'node:crypto'
import type { CancelTimer, NotificationStatus } from '@vedette/wire'
import { attemptNotification, type AttemptLog, type AttemptOptions } from './attempt-notification.ts'
import { channelKinds, type DeliveringKind } from '../channels/index.ts'
import type { DeliveryOptions } from './deliver-to-channel.ts'
import {
  claimDue,
  nextDueIn,
  releaseClaims,
  releaseLostClaims,
  renewPlans,
  type ClaimedNotification,
} from './outbox-store.ts'

export interface SenderOptions extends Omit<DeliveryOptions, 'signal'> {
  kinds?: readonly DeliveringKind[]
  log?: AttemptLog
  /** No other process can send from this database: claims found at the start were lost with a killed process. */
  alone?: boolean
  /** Called after the outcome of an attempt is committed. */
  onSettled?(settled: SettledNotification): void
}

export interface SettledNotification {
  id: string
  accountId: string
  /** null for a notification of the installation's own health. */
  checkId: string | null
  status: NotificationStatus
}

/** Sends queued notifications until they are accepted or given up. Any number of senders may share a database. */
export interface Sender {
  start(): void
  /** New notifications were committed: look at once. */
  wake(): void
  /** Monotonic time at which due notifications were last looked for with success; undefined before the first time. */
  lookedAt(): number | undefined
  /** Takes no more notifications, waits briefly for attempts in progress and releases the other claims. */
  stop(): Promise<void>
}

const claimLimit = 32
const perChannel = 4
/** Longer than any attempt may take: a claim that is older was lost. */
const leaseMs = 60_000
/** Another server may have queued a notification: look this often even when none is known to wait. */
const lookMs = 5_000
const troubleMs = 1_000
const graceMs = 3_000

export const createSender = (options: SenderOptions): Sender => new OutboxSender(options)

class OutboxSender implements Sender {
  readonly #options: AttemptOptions
  readonly #onSettled: (settled: SettledNotification) => void
  readonly #stopping = new AbortController()
  readonly #underWay = new Map<string, Promise<void>>()
  #timer: CancelTimer | undefined
  #looking: Promise<void> | undefined
  #lookAgain = false
  #running = false
  #lookedAt: number | undefined
  #mayFindLostClaims: boolean

  constructor(options: SenderOptions) {
    this.#options = {
      ...options,
      holder: randomUUID(),
      kinds: options.kinds ?? channelKinds,
      signal: this.#stopping.signal,
    }
    this.#mayFindLostClaims = options.alone ?? false
    this.#onSettled = (settled) => options.onSettled?.(settled)
  }

  start(): void {
    this.#running = true
    this.#look()
  }

  wake(): void {
    this.#look()
  }

  lookedAt(): number | undefined {
    return this.#lookedAt
  }

  async stop(): Promise<void> {
    this.#running = false
    this.#timer?.()
    const cancel = this.#options.clock.after(graceMs, () => this.#stopping.abort())
    await this.#looking
    await Promise.all(this.#underWay.values())
    cancel()
  }

  #look(): void {
    if (!this.#running) return
    if (this.#looking) {
      this.#lookAgain = true
      return
    }
    this.#looking = this.#takeDue()
      .catch((error: unknown) => this.#onTrouble(error))
      .finally(() => {
        this.#looking = undefined
        if (!this.#lookAgain) return
        this.#lookAgain = false
        this.#look()
      })
  }

  /** Most looks find that nothing waits: that takes one statement. */
  async #takeDue(): Promise<void> {
    const { db, clock } = this.#options
    let nextIn = await nextDueIn(db.pool)
    if (nextIn !== undefined) {
      await this.#claimDue()
      nextIn = await nextDueIn(db.pool)
    }
    this.#mayFindLostClaims = false
    this.#lookedAt = clock.monotonic()
    if (this.#running) this.#schedule(delayUntil(nextIn))
  }

  async #claimDue(): Promise<void> {
    const { db, holder } = this.#options
    await renewPlans(db.pool)
    if (this.#mayFindLostClaims) await releaseLostClaims(db.pool)
    this.#mayFindLostClaims = false
    const free = claimLimit - this.#underWay.size
    if (free <= 0) return
    const claim = { holder, leaseMs, limit: free, perChannel, underWay: [...this.#underWay.keys()] }
    const claimed = await claimDue(db.pool, claim)
    if (this.#running) for (const notification of claimed) this.#begin(notification)
    else await releaseClaims(db.pool, holder, claimed)
  }

  #begin(claimed: ClaimedNotification): void {
    const done = this.#attempt(claimed).finally(() => {
      this.#underWay.delete(claimed.id)
      this.#look()
    })
    this.#underWay.set(claimed.id, done)
  }

  async #attempt(claimed: ClaimedNotification): Promise<void> {
    try {
      const status = await attemptNotification(claimed, this.#options)
      const { id, account_id: accountId, check_id: checkId } = claimed
      if (status !== undefined) this.#onSettled({ id, accountId, checkId, status })
    } catch (error) {
      this.#options.log?.error(
        { err: error, notificationId: claimed.id },
        'The outcome of a notification could not be stored.',
      )
    }
  }

  #onTrouble(error: unknown): void {
    this.#options.log?.error({ err: error }, 'Notifications could not be looked for.')
    if (this.#running) this.#schedule(troubleMs)
  }

  #schedule(delayMs: number): void {
    this.#timer?.()
    this.#timer = this.#options.clock.after(delayMs, () => this.#look())
  }
}

// A due notification that was not taken waits for capacity; the end of an attempt causes another look.
const delayUntil = (dueInMs = lookMs): number => (dueInMs <= 0 ? lookMs : Math.min(lookMs, Math.ceil(dueInMs)))
