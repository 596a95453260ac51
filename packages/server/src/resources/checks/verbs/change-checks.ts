import { isDeepStrictEqual } from 'node:util'
import type { BulkChange, BulkOutcome, BulkWrite } from '@vedette/wire'
import { undoable } from '../../../access/savepoint-store.ts'
import type { Audited, Change, VerbContext, Written } from '../../../access/write.ts'
import { ApiError, invalidField } from '../../../api-error.ts'
import type { Queryable } from '../../../db/database.ts'
import { unknownGroups } from '../../../settings/group-store.ts'
import type { ApiDeps, ChangeOfCheck } from '../../api-deps.ts'
import { unknownChannels } from '../subscription-store.ts'
import type { CheckAnswer } from '../to-check.ts'
import { updateOf } from './bulk-update.ts'
import { changeCheck, readKnown, type KnownOfAccount } from './change-check.ts'
import { readCheckIds } from '../store.ts'
import { removeCheck } from './delete-check.ts'
import { refuseEndOfMute } from './mute-check.ts'
import { bringBack } from './restore-check.ts'
import { grouped, isMutedAlike, undoOfChange, type Changed } from './undo-of-changes.ts'

/** Checks of one transaction: it holds their rows, and the one connection of the embedded database, until its end. */
const batchSize = 20

export interface FailureLog {
  error(details: object, text: string): void
}

/**
 * Changes, deletes or restores many checks in the same way. One that cannot be changed is named and keeps no other from it.
 * What fails after some are stored is logged, and the checks that were not reached are named.
 */
export const changeChecks =
  (deps: ApiDeps) =>
  async (caller: VerbContext, { change, ...which }: BulkWrite, log: FailureLog): Promise<ChangedBulk> => {
    await refuseImpossible(deps, caller.accountId, { change, ...which })
    const ctx = { ...caller, ifMatch: undefined }
    const what = { action: actionOf(change), resource: 'checks' } as const
    const outcome: Outcome = { changed: [], unchanged: [], refused: [], undos: [] }
    // In the order of ids, in which others lock them too.
    const each = await checksOf(deps, caller.accountId, which)
    for (let at = 0; at < each.length; at += batchSize) {
      const ids = each.slice(at, at + batchSize)
      try {
        add(outcome, await deps.write(ctx, what, (tx) => changeBatch(deps, tx, ctx, { ids, change })))
      } catch (error) {
        if (at === 0) throw error
        log.error({ err: error }, 'A change of many checks stopped on its way.')
        outcome.refused.push(...stoppedAt(each.slice(at), error, caller.requestId))
        break
      }
    }
    const { undos, ...answer } = outcome
    return { ...answer, undo: grouped(undos) }
  }

export type ChangedBulk = Omit<BulkOutcome, 'undoToken'>

interface Outcome extends Omit<ChangedBulk, 'undo'> {
  /** What takes the change of each changed check back. */
  undos: { id: string; change: BulkChange }[]
}

function add(to: Outcome, { changed, unchanged, refused, undos }: Outcome): void {
  to.changed.push(...changed)
  to.unchanged.push(...unchanged)
  to.refused.push(...refused)
  to.undos.push(...undos)
}

/** Why the checks from a batch on that failed are not changed. Its commit may have lost only its answer. */
function stoppedAt(ids: readonly string[], error: unknown, requestId: string): BulkOutcome['refused'] {
  const reason = error instanceof ApiError ? error.message : `the server failed; its log names it under ${requestId}`
  return ids.map((id, nr) => ({
    id,
    message:
      nr < batchSize
        ? `Not known whether it was changed: ${reason}. Read it, and try again.`
        : `Not tried, because checks before it failed: ${reason}. Try again.`,
  }))
}

const actionOf = (change: BulkChange) => (change.delete ? 'delete' : change.restore ? 'restore' : 'update')

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
  if (ids !== undefined) return [...new Set(ids.map((id) => id.toLowerCase()))].toSorted()
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

interface ChangedOne extends Audited {
  runNow: boolean
  /** What takes it back; undefined when nothing was changed. */
  undo: BulkChange | undefined
}

async function changeBatch(
  deps: ApiDeps,
  tx: Change,
  { accountId }: VerbContext,
  { ids, change }: { ids: readonly string[]; change: BulkChange },
): Promise<Written<Outcome>> {
  const known = await readKnown(tx.client, accountId, ids)
  const outcome: Outcome = { changed: [], unchanged: [], refused: [], undos: [] }
  const changed: ChangedOne[] = []
  for (const id of ids) {
    try {
      const one = await undoable(tx.client, () => changeOne(deps, tx, known, { id, change }), isChanged)
      if (one.undo === undefined) outcome.unchanged.push(id)
      else {
        changed.push(one)
        outcome.changed.push(id)
        outcome.undos.push({ id, change: one.undo })
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      outcome.refused.push({ id, message: error.message })
    }
  }
  return writtenOf(deps, accountId, { change, changed, outcome })
}

const isChanged = ({ undo }: ChangedOne): boolean => undo !== undefined

function writtenOf(
  { hooks }: ApiDeps,
  accountId: string,
  { change, changed, outcome }: { change: BulkChange; changed: readonly ChangedOne[]; outcome: Outcome },
): Written<Outcome> {
  const word = change.delete ? 'deleted' : change.restore ? 'created' : 'updated'
  const changes = changed.map(({ id: checkId, runNow }): ChangeOfCheck => ({ checkId, change: word, runNow }))
  const [first = { id: '' }, ...others] = changed
  return {
    ...first,
    others,
    unchanged: changed.length === 0,
    answer: outcome,
    announce: () => (changes.length === 0 ? undefined : hooks.manyChanged(accountId, changes)),
  }
}

async function changeOne(
  deps: ApiDeps,
  tx: Change,
  known: KnownOfAccount,
  { id, change }: { id: string; change: BulkChange },
): Promise<ChangedOne> {
  if (change.delete) return { ...(await removeCheck(tx, known.account, id)), runNow: false, undo: { restore: true } }
  if (change.restore) return { ...(await bringBack(tx, known.account, id)), undo: { delete: true } }
  const { before, answer, runNow, mutedUntil } = await changeCheck(deps, tx, known, updateOf(id, change))
  const after = answer.check
  const undo = isAsBefore({ before, after, mutedUntil }) ? undefined : undoOfChange({ id, before, after, mutedUntil })
  return { id, before, after, runNow, undo }
}

/** Nothing of it is another value than before, but when it was written. */
function isAsBefore(change: Omit<Changed, 'id'>): boolean {
  const plain = (of: CheckAnswer) => ({ ...of, updated_at: null })
  return isDeepStrictEqual(plain(change.before), plain(change.after)) && isMutedAlike(change)
}
