import { mostIds, type BulkChange, type BulkUndoOutcome } from '@vedette/wire'
import type { Audited, Change, VerbContext, Written } from '../../../access/write.ts'
import { ApiError } from '../../../api-error.ts'
import type { Queryable } from '../../../db/database.ts'
import type { ApiDeps } from '../../api-deps.ts'
import { updateOf } from './bulk-update.ts'
import { changeLocked, lockKnown, type ChangedCheck } from './change-check.ts'
import { removeLocked } from './delete-check.ts'
import type { Outcomes } from './each-alone.ts'
import type { KnownOfAccount } from './plan-change.ts'
import { bringBackLocked, lockToBringBack } from './restore-check.ts'
import { undoOfChange } from './undo-of-changes.ts'
import { writeInParts } from './write-in-parts.ts'

export interface FailureLog {
  error(details: object, text: string): void
}

export interface ChangeOfOne {
  id: string
  change: BulkChange
}

/** Changes of different checks. All delete, all restore, or none does either. */
export interface ChangesOfEach {
  each: readonly ChangeOfOne[]
  /** Writes in the transaction what takes back the changes that it made. */
  keep: (client: Queryable, undos: readonly ChangeOfOne[]) => Promise<void>
}

/**
 * Changes checks, as many as one request may name in one transaction with one announcement. One that cannot be changed
 * is named and keeps no other from it. What fails after a transaction is stored is logged, and the checks that were not
 * reached are named.
 */
export const changeEach =
  (deps: ApiDeps) =>
  async (caller: VerbContext, { each, keep }: ChangesOfEach, log: FailureLog): Promise<BulkUndoOutcome> => {
    const ctx = { ...caller, ifMatch: undefined }
    const outcome: BulkUndoOutcome = { changed: [], unchanged: [], refused: [] }
    // In the order of ids, in which others lock them too.
    const sorted = each.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    for (let at = 0; at < sorted.length; at += mostIds) {
      const some = sorted.slice(at, at + mostIds)
      const what = { action: actionOf(some), resource: 'checks' } as const
      try {
        add(outcome, await deps.write(ctx, what, (tx) => changeAll(deps, tx, ctx, { each: some, keep })))
      } catch (error) {
        if (at === 0) throw error
        log.error({ err: error }, 'A change of many checks stopped on its way.')
        outcome.refused.push(...stoppedAt(sorted.slice(at), error, caller.requestId))
        break
      }
    }
    return outcome
  }

const actionOf = ([first]: readonly ChangeOfOne[]) =>
  first?.change.delete ? 'delete' : first?.change.restore ? 'restore' : 'update'

const words = { delete: 'deleted', restore: 'created', update: 'updated' } as const

function add(to: BulkUndoOutcome, { changed, unchanged, refused }: BulkUndoOutcome): void {
  to.changed.push(...changed)
  to.unchanged.push(...unchanged)
  to.refused.push(...refused)
}

/** Why the checks from a transaction on that failed are not changed. Its commit may have lost only its answer. */
function stoppedAt(each: readonly ChangeOfOne[], error: unknown, requestId: string): BulkUndoOutcome['refused'] {
  const reason = error instanceof ApiError ? error.message : `the server failed; its log names it under ${requestId}`
  return each.map(({ id }, nr) => ({
    id,
    message:
      nr < mostIds
        ? `Not known whether it was changed: ${reason}. Read it, and try again.`
        : `Not tried, because checks before it failed: ${reason}. Try again.`,
  }))
}

async function changeAll(
  deps: ApiDeps,
  tx: Change,
  { accountId }: VerbContext,
  { each, keep }: ChangesOfEach,
): Promise<Written<BulkUndoOutcome>> {
  const known = await lockAll(tx.client, accountId, each)
  const outcome: BulkUndoOutcome = { changed: [], unchanged: [], refused: [] }
  const undos: ChangeOfOne[] = []
  const all = { account: accountId, all: each, change: words[actionOf(each)] }
  const { refused, announce } = await writeInParts(deps, tx, all, async (some) => {
    const part = await changePart(deps, tx, known, some)
    const changed = part.done.filter(({ undo }) => undo !== undefined)
    undos.push(...changed.flatMap(({ id, undo }) => (undo === undefined ? [] : [{ id, change: undo }])))
    outcome.changed.push(...changed.map(({ id }) => id))
    outcome.unchanged.push(...part.done.filter(({ undo }) => undo === undefined).map(({ id }) => id))
    return { done: changed, refused: part.refused }
  })
  outcome.refused.push(...refused.map(({ id, error }) => ({ id, message: error.message })))
  await keep(tx.client, undos)
  return { id: '', unchanged: true, answer: outcome, announce }
}

const lockAll = (client: Queryable, account: string, each: readonly ChangeOfOne[]): Promise<KnownOfAccount> =>
  actionOf(each) === 'restore'
    ? lockToBringBack(
        client,
        account,
        each.map(({ id }) => id),
      )
    : lockKnown(
        client,
        account,
        each.map(({ id }) => ({ id })),
      )

interface ChangedOne extends Audited {
  runNow: boolean
  /** What takes it back; undefined when nothing was changed. */
  undo: BulkChange | undefined
}

async function changePart(
  deps: ApiDeps,
  tx: Change,
  known: KnownOfAccount,
  each: readonly ChangeOfOne[],
): Promise<Outcomes<ChangedOne>> {
  const ids = each.map(({ id }) => id)
  const action = actionOf(each)
  if (action === 'delete') {
    const { done, refused } = await removeLocked(tx, known.account, ids)
    return { refused, done: done.map((one) => ({ ...one, undo: { restore: true } })) }
  }
  if (action === 'restore') {
    const { done, refused } = await bringBackLocked(tx, known, ids)
    return { refused, done: done.map((one) => ({ ...one, undo: { delete: true } })) }
  }
  const updates = each.map(({ id, change }) => updateOf(id, change))
  const { done, refused } = await changeLocked(deps, tx, known, { updates, evenSame: false })
  return { refused, done: done.map(changedOne) }
}

function changedOne({ id, before, answer, runNow, mutedUntil }: ChangedCheck): ChangedOne {
  const undo = answer && undoOfChange({ before, after: answer.check, mutedUntil })
  return { id, before, after: answer?.check, runNow, undo }
}
