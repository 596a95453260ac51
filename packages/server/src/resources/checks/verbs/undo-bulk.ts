import type { BulkChange, BulkOutcome, BulkUndoOutcome, BulkWrite } from '@vedette/wire'
import { hashSecret, mintToken } from '../../../access/secret-token.ts'
import type { VerbContext } from '../../../access/write.ts'
import { notFound } from '../../../api-error.ts'
import type { ApiDeps } from '../../api-deps.ts'
import { deleteBulkUndo, keepBulkUndo, readBulkUndo } from '../bulk-undo-store.ts'
import { changeChecks } from './change-checks.ts'
import { changeEach, type FailureLog } from './change-each.ts'
import { grouped } from './undo-of-changes.ts'

const keptMs = 600_000

/** Changes checks as `changeChecks` does, and keeps what takes the changes back under a token. */
export const changeChecksUndoably = (deps: ApiDeps) => {
  const change = changeChecks(deps)
  return async (caller: VerbContext, body: BulkWrite, log: FailureLog): Promise<BulkOutcome> => {
    const { raw, hash } = mintToken('vdu_')
    const of = { account: caller.accountId, hash }
    const expiresAt = new Date(deps.clock.now() + keptMs)
    const outcome = await change(
      caller,
      { body, keep: (client, undos) => keepBulkUndo(client, of, { undo: grouped(undos), expiresAt }) },
      log,
    )
    return { ...outcome, undoToken: outcome.changed.length === 0 ? null : raw }
  }
}

/** Takes back what the token is for. A check that cannot be what it was keeps no other from it. */
export const undoBulkChange = (deps: ApiDeps) => {
  const change = changeEach(deps)
  return async (caller: VerbContext, token: string, log: FailureLog): Promise<BulkUndoOutcome> => {
    const now = new Date(deps.clock.now())
    const of = { account: caller.accountId, hash: hashSecret(token) }
    const gone = () => notFound('change to take back: it was taken back already, or is over 10 minutes old')
    const parts = await readBulkUndo(deps.db.pool, of, now)
    if (parts === undefined) throw gone()
    const each = parts.flatMap((part) => {
      const asNow = asOfNow(part.change, now.getTime())
      return part.ids.map((id) => ({ id, change: asNow }))
    })
    let isTaken = false
    return change(
      caller,
      {
        each,
        async keep(client) {
          if (isTaken) return
          if (!(await deleteBulkUndo(client, of))) throw gone()
          isTaken = true
        },
      },
      log,
    )
  }
}

/** A mute that is over by now is none. */
const asOfNow = ({ mutedUntil, ...change }: BulkChange, now: number): BulkChange => {
  if (mutedUntil === undefined) return change
  return mutedUntil !== null && Date.parse(mutedUntil) <= now ? { ...change, muted: false } : { ...change, mutedUntil }
}
