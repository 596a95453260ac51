import type { BulkChange, BulkUndoOutcome, BulkWrite } from '@vedette/wire'
import type { VerbContext } from '../../../access/write.ts'
import { invalidField } from '../../../api-error.ts'
import type { Queryable } from '../../../db/database.ts'
import { unknownGroups } from '../../../settings/group-store.ts'
import type { ApiDeps } from '../../api-deps.ts'
import { readCheckIds } from '../store.ts'
import { unknownChannels } from '../subscription-store.ts'
import { changeEach, type ChangesOfEach, type FailureLog } from './change-each.ts'
import { refuseEndOfMute } from './mute-check.ts'

/** Changes, deletes or restores many checks in the same way. */
export const changeChecks = (deps: ApiDeps) => {
  const change = changeEach(deps)
  return async (
    caller: VerbContext,
    { body, keep }: Pick<ChangesOfEach, 'keep'> & { body: BulkWrite },
    log: FailureLog,
  ): Promise<BulkUndoOutcome> => {
    await refuseImpossible(deps, caller.accountId, body)
    const ids = await checksOf(deps, caller.accountId, body)
    return change(caller, { each: ids.map((id) => ({ id, change: body.change })), keep }, log)
  }
}

async function checksOf(
  { db, clock }: ApiDeps,
  account: string,
  { ids, filter, all, tag }: Omit<BulkWrite, 'change'>,
): Promise<string[]> {
  if ([ids, filter, all].filter((one) => one !== undefined).length !== 1)
    throw invalidField('ids', 'must be sent, or "filter", or "all", and only one of them')
  if (filter !== undefined && Object.keys(filter).length === 0)
    throw invalidField('filter', 'must have at least one field: "all" is for all checks')
  if (tag !== undefined && all === undefined) throw invalidField('tag', 'must be sent together with "all"')
  if (ids !== undefined) return [...new Set(ids.map((id) => id.toLowerCase()))]
  const { status: state, tag: tags = tag === undefined ? [] : [tag], ...more } = filter ?? {}
  const found = { checkType: undefined, search: undefined, url: undefined, ...more, tags, state }
  return readCheckIds(db.pool, account, { ...found, now: new Date(clock.now()) })
}

async function refuseImpossible({ db, clock }: ApiDeps, account: string, { change, ids }: BulkWrite): Promise<void> {
  const sent = Object.entries(change).filter(([, value]) => value !== undefined)
  if (sent.length === 0) throw invalidField('change', 'must name at least one change')
  const alone = sent.find(([name]) => name === 'delete' || name === 'restore')
  if (alone && sent.length > 1) throw invalidField(`change.${alone[0]}`, 'must not be sent together with other changes')
  if (change.restore && ids === undefined)
    throw invalidField('change.restore', 'must be sent with "ids": the others name checks that are not deleted')
  if (change.muted === false && change.mutedUntil !== undefined)
    throw invalidField('change.mutedUntil', 'must not be sent together with muted: false')
  if (change.mutedUntil) refuseEndOfMute(new Date(change.mutedUntil), clock.now(), 'change.mutedUntil')
  await refuseUnknown(db.pool, account, change)
}

async function refuseUnknown(client: Queryable, account: string, { groupId = null, addChannels }: BulkChange) {
  if (groupId !== null && (await unknownGroups(client, account, [groupId])).has(groupId))
    throw invalidField('change.groupId', `names no check group of this account, got ${groupId}`)
  const unknown = await unknownChannels(client, account, addChannels ?? [])
  const [first] = unknown
  if (first !== undefined)
    throw invalidField('change.addChannels', `names no alert channel of this account, got ${first}`)
}
