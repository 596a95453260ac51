import type { BulkChange, BulkOutcome, BulkUndoOutcome } from '@vedette/wire'
import { hashSecret, mintToken } from '../../../access/secret-token.ts'
import type { VerbContext } from '../../../access/write.ts'
import { ApiError, notFound } from '../../../api-error.ts'
import type { ApiDeps } from '../../api-deps.ts'
import { insertBulkUndo, takeBulkUndo } from '../bulk-undo-store.ts'
import { changeChecks, type FailureLog } from './change-checks.ts'

const keptMs = 600_000

/** Changes checks as `changeChecks` does, and keeps what takes the changes back under a token. */
export const changeChecksUndoably = (deps: ApiDeps) => {
  const change = changeChecks(deps)
  return async (caller: VerbContext, ...[body, log]: TailOf<typeof change>): Promise<BulkOutcome> => {
    const outcome = await change(caller, body, log)
    return { ...outcome, undoToken: await kept(deps, caller, outcome.undo, log) }
  }
}

type TailOf<F> = F extends (first: VerbContext, ...rest: infer Rest) => unknown ? Rest : never

/** The checks are changed already: without its token the answer still says what takes that back. */
async function kept(
  { db, clock }: ApiDeps,
  { accountId: account }: VerbContext,
  undo: BulkOutcome['undo'],
  log: FailureLog,
): Promise<string | null> {
  if (undo.length === 0) return null
  const { raw, hash } = mintToken('vdu_')
  try {
    await insertBulkUndo(db.pool, { account, hash }, { undo, expiresAt: new Date(clock.now() + keptMs) })
    return raw
  } catch (error) {
    log.error({ err: error }, 'What takes a change of many checks back could not be kept.')
    return null
  }
}

/** Takes back what the token is for. A part that is not possible any more keeps no other from it. */
export const undoBulkChange = (deps: ApiDeps) => {
  const change = changeChecks(deps)
  return async (caller: VerbContext, token: string, log: FailureLog): Promise<BulkUndoOutcome> => {
    const of = { account: caller.accountId, hash: hashSecret(token) }
    const parts = await takeBulkUndo(deps.db.pool, of, new Date(deps.clock.now()))
    if (parts === undefined) throw notFound('change to take back: it was taken back already, or is over 10 minutes old')
    const outcome: BulkUndoOutcome = { changed: [], unchanged: [], refused: [] }
    for (const part of parts) {
      try {
        const of = await change(caller, { ids: part.ids, change: asOfNow(part.change, deps.clock.now()) }, log)
        outcome.changed.push(...of.changed)
        outcome.unchanged.push(...of.unchanged)
        outcome.refused.push(...of.refused)
      } catch (error) {
        if (!(error instanceof ApiError)) log.error({ err: error }, 'A change of many checks could not be taken back.')
        const message = error instanceof ApiError ? error.message : 'The server failed; its log says why.'
        outcome.refused.push(...part.ids.map((id) => ({ id, message })))
      }
    }
    return outcome
  }
}

/** A mute that is over by now is none. */
const asOfNow = ({ mutedUntil, ...change }: BulkChange, now: number): BulkChange => {
  if (mutedUntil === undefined) return change
  return mutedUntil !== null && Date.parse(mutedUntil) <= now ? { ...change, muted: false } : { ...change, mutedUntil }
}
