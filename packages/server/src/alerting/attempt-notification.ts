import { readAccountVariables } from './account-variables.ts'
import type { ChannelKind, ChannelMessage, SendOutcome } from './channels/index.ts'
import type { TemplateWorld } from './template/index.ts'
import { secretsByPath, unsealConfig } from './channels/sealed-config.ts'
import { ledgerText } from './ledger-text.ts'
import { settle, type ClaimedNotification } from './outbox-store.ts'
import { planAfter } from './retry-plan.ts'
import type { SenderOptions } from './sender.ts'

export interface AttemptOptions extends Omit<SenderOptions, 'kinds'> {
  holder: string
  kinds: readonly ChannelKind[]
  signal: AbortSignal
  world: TemplateWorld
}

interface Attempted {
  outcome: SendOutcome
  secrets: readonly string[]
}

/** One attempt, and its outcome in the ledger. Answers the new status, undefined when another sender had taken over. */
export async function attemptNotification(
  claimed: ClaimedNotification,
  options: AttemptOptions,
): Promise<string | undefined> {
  const { outcome, secrets } = await deliver(claimed, options)
  // Interrupted by a stop: the next sender begins at once.
  const interrupted = options.signal.aborted && !outcome.accepted && outcome.retryable
  const now = options.clock.now()
  const plan = interrupted
    ? { status: 'IN_PROGRESS' as const, acceptedAt: undefined, nextAttemptAt: now }
    : planAfter(outcome, claimed.attempts, now)
  const stored = await settle(options.db.pool, options.holder, claimed, {
    ...plan,
    responseStatus: outcome.status,
    result: ledgerText(outcome.response, secrets),
  })
  return stored ? plan.status : undefined
}

const givenUp = (response: string): Attempted => ({
  outcome: { accepted: false, retryable: false, response },
  secrets: [],
})

async function deliver(claimed: ClaimedNotification, options: AttemptOptions): Promise<Attempted> {
  const kind = options.kinds.find(({ type }) => type === claimed.channel_type)
  if (!kind) return givenUp(`Channels of kind ${claimed.channel_type} cannot be sent to.`)
  const { config: stored, secrets: sealed } = claimed
  if (!stored) return givenUp('The alert channel was deleted before it could be told.')
  try {
    return await deliverTo(kind, { config: stored, secrets: sealed ?? {} }, claimed, options)
  } catch (error) {
    options.log?.error({ err: error, notificationId: claimed.id }, 'A notification could not be sent.')
    return { outcome: { accepted: false, retryable: true, response: 'Internal error; see the log.' }, secrets: [] }
  }
}

async function deliverTo(
  kind: ChannelKind,
  sealed: { config: Record<string, unknown>; secrets: Record<string, string> },
  claimed: ClaimedNotification,
  options: AttemptOptions,
): Promise<Attempted> {
  const { vault, db, clock, settings, signal, world } = options
  const owner = { account: claimed.account_id, channelId: claimed.channel_id }
  const config = unsealConfig(vault, owner, kind, sealed)
  const variables = await readAccountVariables(db.pool, vault, claimed.account_id)
  const message: ChannelMessage = {
    notificationId: claimed.id,
    attempt: claimed.attempts,
    alert: claimed.message,
    variables: variables.values,
    baseUrl: options.baseUrl(),
  }
  const context = { egress: options.egress(), clock, world, settings, signal }
  const outcome = await kind.deliver(config, message, context)
  return { outcome, secrets: [...secretsByPath(kind, config).values(), ...variables.hidden] }
}
