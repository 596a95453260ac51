import type { Definition } from '@vedette/checks'
import { channelKindOf } from '../../alerting/index.ts'
import type { StoredCheck } from './store.ts'
import type { SubscribedChannel } from './subscription-store.ts'

/** A check as the API answers it. */
export type CheckAnswer = Definition & { id: string; checkType: string }

export function toCheck(stored: StoredCheck, channels: readonly SubscribedChannel[]): CheckAnswer {
  const own = channels.filter(({ checkId }) => checkId === stored.id)
  return {
    ...stored.definition,
    id: stored.id,
    checkType: stored.type,
    alertChannelSubscriptions: own.map(({ alertChannelId, activated }) => ({ alertChannelId, activated })),
    alertChannels: resolved(own.filter(({ activated }) => activated)),
    created_at: stored.created_at.toISOString(),
    updated_at: stored.updated_at?.toISOString() ?? null,
  }
}

function resolved(channels: readonly SubscribedChannel[]): Record<string, unknown[]> {
  const byKey: Record<string, unknown[]> = {}
  for (const { type, config } of channels) {
    const shown = channelKindOf(type)?.shownOnChecks
    if (!shown) continue
    const item = Object.fromEntries(shown.fields.map((field) => [field, config[field]]))
    byKey[shown.key] = [...(byKey[shown.key] ?? []), item]
  }
  return byKey
}
