import type { BulkChange, CommonCheck } from '@vedette/wire'
import type { CheckAnswer } from '../to-check.ts'
import type { CheckUpdate } from './plan-change.ts'

/** What a change of many checks is for one of them. */
export function updateOf(id: string, change: BulkChange): CheckUpdate {
  const { activated, muted, mutedUntil } = change
  const isMuted = mutedUntil === undefined ? muted : true
  return {
    id,
    // `muted: true` alone is for good, also of a check that is muted for a while.
    ...(isMuted === true && { mutedUntil: mutedUntil ? new Date(mutedUntil) : null }),
    sent: (before) => ({
      ...(activated !== undefined && { activated }),
      ...(isMuted !== undefined && { muted: isMuted }),
      ...(change.groupId !== undefined && { groupId: change.groupId }),
      ...tagsAfter(before, change),
      ...subscriptionsAfter(before, change),
    }),
  }
}

function tagsAfter(before: CheckAnswer, { addTags = [], removeTags = [] }: BulkChange): { tags?: string[] } {
  if (addTags.length + removeTags.length === 0) return {}
  const tags = new Set([...(before.tags as string[]), ...addTags])
  for (const tag of removeTags) tags.delete(tag)
  return { tags: [...tags] }
}

type Subscriptions = CommonCheck['alertChannelSubscriptions']

function subscriptionsAfter(
  before: CheckAnswer,
  { addChannels = [], removeChannels = [] }: BulkChange,
): { alertChannelSubscriptions?: Subscriptions } {
  if (addChannels.length + removeChannels.length === 0) return {}
  const wanted = new Map(
    (before.alertChannelSubscriptions as Subscriptions).map((one) => [one.alertChannelId, one.activated]),
  )
  for (const id of addChannels) wanted.set(id, true)
  for (const id of removeChannels) wanted.delete(id)
  return {
    alertChannelSubscriptions: [...wanted].map(([alertChannelId, activated]) => ({ alertChannelId, activated })),
  }
}
