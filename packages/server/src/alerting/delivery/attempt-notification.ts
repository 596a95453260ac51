import type { NotificationStatus } from '@vedette/wire'
import type { DeliveringKind, SendOutcome } from '../channels/index.ts'
import { deliverToChannel, type DeliveryOptions } from './deliver-to-channel.ts'
import { channelDeleted, settle, type ClaimedNotification } from './outbox-store.ts'
import { planAfter } from './retry-plan.ts'

export interface AttemptLog {
  error(details: object, message: string): void
}

export interface AttemptOptions extends DeliveryOptions {
  holder: string
  kinds: readonly DeliveringKind[]
  signal: AbortSignal
  log?: AttemptLog
}

/** Makes one attempt and stores its outcome. Returns the new status; undefined when another sender has the claim. */
export async function attemptNotification(
  claimed: ClaimedNotification,
  options: AttemptOptions,
): Promise<NotificationStatus | undefined> {
  const outcome = await deliver(claimed, options)
  // Interrupted by a stop: the next sender retries at once.
  const interrupted = options.signal.aborted && !outcome.accepted && outcome.retryable
  const plan = interrupted
    ? { status: 'IN_PROGRESS' as const, acceptedAt: undefined, retryInMs: 0 }
    : planAfter(outcome, claimed.attempts, options.clock.now())
  const settlement = { ...plan, responseStatus: outcome.status, result: outcome.response }
  const stored = await settle(options.db.pool, options.holder, claimed, settlement)
  return stored ? plan.status : undefined
}

const givenUp = (response: string): SendOutcome => ({ accepted: false, retryable: false, response })

async function deliver(claimed: ClaimedNotification, options: AttemptOptions): Promise<SendOutcome> {
  const kind = options.kinds.find(({ type }) => type === claimed.channel_type)
  if (!kind) return givenUp(`Channels of kind ${claimed.channel_type} cannot be sent to.`)
  const { config, secrets, id, attempts, message } = claimed
  if (!config) return givenUp(channelDeleted)
  const channel = { accountId: claimed.account_id, channelId: claimed.channel_id, config, secrets: secrets ?? {} }
  try {
    return await deliverToChannel(kind, channel, { notificationId: id, attempt: attempts, alert: message }, options)
  } catch (error) {
    options.log?.error({ err: error, notificationId: id }, 'A notification could not be sent.')
    return { accepted: false, retryable: true, response: 'Internal error; see the log.' }
  }
}
