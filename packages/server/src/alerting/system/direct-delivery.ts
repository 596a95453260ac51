import type { DeliveringKind } from '../channels/index.ts'
import { openVariables, type SealedVariable } from '../delivery/account-variables.ts'
import type { AttemptLog } from '../delivery/attempt-notification.ts'
import { deliverWith, type DeliveryOptions } from '../delivery/deliver-to-channel.ts'
import { notificationIdOf } from '../notifications/new-alert.ts'
import {
  accountsOf,
  readSealedVariables,
  readSubscribers,
  subscribes,
  type DirectOutcome,
  type Subscriber,
} from './store.ts'
import { messageOf, type ConcernedAccount, type SystemAlert } from './system-alert.ts'

export interface DirectDeliveryOptions extends DeliveryOptions {
  kinds: readonly DeliveringKind[]
  log: AttemptLog
}

/** A notification that is sent without the outbox. */
export interface DirectMessage extends DirectOutcome {
  alert: SystemAlert
  subscriber: Subscriber
}

interface Message extends DirectMessage {
  /** Monotonic time of the next try. */
  nextAt: number
  /** Its outcome is being stored. */
  isTaken: boolean
}

const refreshEveryMs = 60_000
const quickTries = 5
const quickMs = 20_000
const slowMs = 300_000

/**
 * Sends alerts of the installation itself without the database, for when it cannot store. Channels are those of the last
 * time it could be read; their secrets stay sealed in memory until a message is sent.
 */
export class DirectDelivery {
  readonly #options: DirectDeliveryOptions
  #subscribers: Subscriber[] = []
  #variables = new Map<string, SealedVariable[]>()
  #readAt = -Infinity
  #messages: Message[] = []
  /** Attempts under way, by channel: messages of one channel go one after the other. */
  readonly #underWay = new Map<number, Promise<void>>()

  constructor(options: DirectDeliveryOptions) {
    this.#options = options
  }

  /** Reads the channels anew now and then, or when they are needed now. Call it while the database answers. */
  async refresh(isNeeded = false): Promise<void> {
    const { db, clock } = this.#options
    if (!isNeeded && clock.monotonic() - this.#readAt < refreshEveryMs) return
    const subscribers = await readSubscribers(db.pool)
    this.#variables = await readSealedVariables(db.pool, [...new Set(subscribers.map((one) => one.account_id))])
    this.#subscribers = subscribers
    this.#readAt = clock.monotonic()
  }

  /** Accounts with a channel to tell. */
  accounts(): ConcernedAccount[] {
    return accountsOf(this.#subscribers)
  }

  /** Messages to every subscriber, to be sent by the next `look`. */
  add(alerts: readonly SystemAlert[]): void {
    for (const alert of alerts)
      for (const subscriber of this.#subscribers.filter((one) => subscribes(one, alert))) {
        const notificationId = notificationIdOf(alert.alertId, subscriber.id)
        const outcome = { notificationId, attempts: 0, acceptedAt: undefined, status: undefined, response: '' }
        this.#messages.push({ ...outcome, alert, subscriber, nextAt: -Infinity, isTaken: false })
      }
  }

  /** What is being told, as `restore` takes it. */
  messages(): DirectMessage[] {
    return this.#messages.map(({ nextAt: _nextAt, isTaken: _isTaken, ...message }) => message)
  }

  /** Messages of before a restart go on. */
  restore(messages: readonly DirectMessage[]): void {
    this.#messages.push(...messages.map((message) => ({ ...message, nextAt: -Infinity, isTaken: false })))
  }

  /** Tries what is due. A message waits until the ones before it to its channel are accepted. */
  look(): void {
    const waiting = this.#messages.filter(({ acceptedAt, isTaken }) => acceptedAt === undefined && !isTaken)
    for (const message of waiting) {
      const { id } = message.subscriber
      const isFirst = waiting.find(({ subscriber }) => subscriber.id === id) === message
      if (!isFirst || this.#underWay.has(id) || message.nextAt > this.#options.clock.monotonic()) continue
      const attempt = this.#attempt(message).finally(() => {
        this.#underWay.delete(id)
        if (message.acceptedAt !== undefined) this.look()
      })
      this.#underWay.set(id, attempt)
    }
  }

  /** Holds the tries for these alerts and returns what became of them; undefined while one is under way. */
  take(alerts: readonly SystemAlert[]): DirectOutcome[] | undefined {
    const taken = this.#messagesOf(alerts)
    if (taken.some(({ subscriber }) => this.#underWay.has(subscriber.id))) return undefined
    for (const message of taken) message.isTaken = true
    return taken
  }

  /** Their outcome could not be stored: the tries go on. */
  giveBack(alerts: readonly SystemAlert[]): void {
    for (const message of this.#messagesOf(alerts)) message.isTaken = false
  }

  /** Their outcome is stored. */
  forget(alerts: readonly SystemAlert[]): void {
    const stored = new Set(this.#messagesOf(alerts))
    this.#messages = this.#messages.filter((message) => !stored.has(message))
  }

  #messagesOf(alerts: readonly SystemAlert[]): Message[] {
    const ids = new Set(alerts.map(({ alertId }) => alertId))
    return this.#messages.filter(({ alert }) => ids.has(alert.alertId))
  }

  async #attempt(message: Message): Promise<void> {
    const { clock, kinds, vault, log } = this.#options
    const { alert, subscriber, notificationId } = message
    const kind = kinds.find(({ type }) => type === subscriber.type)
    message.attempts++
    message.nextAt = clock.monotonic() + (message.attempts <= quickTries ? quickMs : slowMs)
    if (kind === undefined) return
    const channel = { ...subscriber, accountId: subscriber.account_id, channelId: subscriber.id }
    try {
      const variables = openVariables(vault, alert.accountId, this.#variables.get(alert.accountId) ?? [])
      const what = { notificationId, attempt: message.attempts, alert: messageOf(alert), location: null }
      const outcome = await deliverWith(kind, channel, what, { ...this.#options, variables })
      message.response = outcome.response
      message.status = outcome.status
      if (outcome.accepted) message.acceptedAt = clock.now()
      else log.error({ channelId: subscriber.id, response: outcome.response }, 'A direct alert was not accepted.')
    } catch (error) {
      log.error({ err: error, channelId: subscriber.id }, 'A direct alert could not be sent.')
    }
  }
}
