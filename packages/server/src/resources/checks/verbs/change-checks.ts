import type { BulkChange, BulkOutcome, CommonCheck } from '@vedette/wire'
import { undoable } from '../../../access/savepoint-store.ts'
import type { Audited, Change, VerbContext, Written } from '../../../access/write.ts'
import { ApiError, invalidField } from '../../../api-error.ts'
import type { ApiDeps, ChangeOfCheck } from '../../api-deps.ts'
import { unknownChannels } from '../subscription-store.ts'
import type { CheckAnswer } from '../to-check.ts'
import { changeCheck, readKnown, type CheckUpdate, type KnownOfAccount } from './change-check.ts'
import { removeCheck } from './delete-check.ts'
import { refuseEndOfMute } from './mute-check.ts'

/** Checks of one transaction: it holds their rows until its end. */
const batchSize = 100

interface BulkWrite {
  ids: readonly string[]
  change: BulkChange
}

/** Changes or deletes many checks in the same way. One that cannot be changed is named and keeps no other from it. */
export const changeChecks =
  (deps: ApiDeps) =>
  async (caller: VerbContext, { ids, change }: BulkWrite): Promise<BulkOutcome> => {
    await refuseImpossible(deps, caller.accountId, change)
    const ctx = { ...caller, ifMatch: undefined }
    const what = { action: change.delete ? 'delete' : 'update', resource: 'checks' } as const
    const outcome: BulkOutcome = { changed: [], refused: [] }
    // In the order of ids, in which others lock them too.
    const each = [...new Set(ids.map((id) => id.toLowerCase()))].toSorted()
    for (let at = 0; at < each.length; at += batchSize) {
      const batch = each.slice(at, at + batchSize)
      const { changed, refused } = await deps.write(ctx, what, (tx) =>
        changeBatch(deps, tx, ctx, { ids: batch, change }),
      )
      outcome.changed.push(...changed)
      outcome.refused.push(...refused)
    }
    return outcome
  }

async function refuseImpossible({ db, clock }: ApiDeps, account: string, change: BulkChange): Promise<void> {
  const { delete: isDeleted, ...others } = change
  const sent = Object.values(others).filter((value) => value !== undefined).length
  if (isDeleted && sent > 0) throw invalidField('change.delete', 'must not be sent together with other changes')
  if (!isDeleted && sent === 0) throw invalidField('change', 'must name at least one change')
  if (change.muted === false && change.mutedUntil !== undefined)
    throw invalidField('change.mutedUntil', 'must not be sent together with muted: false')
  if (change.mutedUntil) refuseEndOfMute(new Date(change.mutedUntil), clock.now(), 'change.mutedUntil')
  const unknown = await unknownChannels(db.pool, account, change.addChannels ?? [])
  const [first] = unknown
  if (first !== undefined)
    throw invalidField('change.addChannels', `names no alert channel of this account, got ${first}`)
}

interface ChangedOne extends Audited {
  runNow: boolean
}

async function changeBatch(
  deps: ApiDeps,
  tx: Change,
  { accountId }: VerbContext,
  { ids, change }: BulkWrite,
): Promise<Written<BulkOutcome>> {
  const known = await readKnown(tx.client, accountId, ids)
  const done: ChangedOne[] = []
  const refused: BulkOutcome['refused'] = []
  for (const id of ids) {
    try {
      done.push(await undoable(tx.client, () => changeOne(deps, tx, known, { id, change })))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      refused.push({ id, message: error.message })
    }
  }
  const word = change.delete ? 'deleted' : 'updated'
  const changes = done.map(({ id: checkId, runNow }): ChangeOfCheck => ({ checkId, change: word, runNow }))
  const [first = { id: '' }, ...others] = done
  return {
    ...first,
    others,
    unchanged: done.length === 0,
    answer: { changed: done.map(({ id }) => id), refused },
    announce: () => (changes.length === 0 ? undefined : deps.hooks.manyChanged(accountId, changes)),
  }
}

async function changeOne(
  deps: ApiDeps,
  tx: Change,
  known: KnownOfAccount,
  { id, change }: { id: string; change: BulkChange },
): Promise<ChangedOne> {
  if (change.delete) return { ...(await removeCheck(tx, known.account, id)), runNow: false }
  const { id: _, answer: __, ...changed } = await changeCheck(deps, tx, known, updateOf(id, change))
  return { id, ...changed }
}

function updateOf(id: string, change: BulkChange): CheckUpdate {
  const { activated, muted, mutedUntil } = change
  const isMuted = mutedUntil === undefined ? muted : true
  return {
    id,
    // `muted: true` alone is for good, also of a check that is muted for a while.
    ...(isMuted === true && { mutedUntil: mutedUntil ? new Date(mutedUntil) : null }),
    sent: (before) => ({
      ...(activated !== undefined && { activated }),
      ...(isMuted !== undefined && { muted: isMuted }),
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
