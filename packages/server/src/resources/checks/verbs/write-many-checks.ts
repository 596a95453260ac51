import type { AuditEntry } from '../../../access/audit-store.ts'
import type { Change, VerbContext } from '../../../access/write.ts'
import type { ApiDeps } from '../../api-deps.ts'
import { lockChecks } from '../store.ts'
import { changeLocked, lockKnown } from './change-check.ts'
import { insertNew, type NewDraft } from './create-check.ts'
import { removeLocked } from './delete-check.ts'
import type { Refused } from './each-alone.ts'
import type { CheckUpdate } from './plan-change.ts'
import { writeInParts, type WrittenInParts } from './write-in-parts.ts'

/** Each answers those that were refused: of them nothing is stored. */
export function writeManyChecks(deps: ApiDeps) {
  const { vault } = deps
  const writeAll = (
    ctx: VerbContext,
    action: AuditEntry['action'],
    work: (tx: Change) => Promise<WrittenInParts>,
  ): Promise<Refused[]> =>
    deps.write(ctx, { action, resource: 'checks' }, async (tx) => {
      const { refused, announce } = await work(tx)
      return { id: '', unchanged: true, answer: refused, announce }
    })
  return {
    /** Channels that ask for new checks are not subscribed: a check has the subscriptions that were sent. */
    create: (ctx: VerbContext, drafts: readonly NewDraft[]) =>
      writeAll(ctx, 'create', (tx) =>
        writeInParts(deps, tx, { account: ctx.accountId, all: drafts, change: 'created' }, (part) =>
          insertNew(vault, tx, ctx.accountId, { drafts: part, channels: 'none' }),
        ),
      ),

    update: (ctx: VerbContext, updates: readonly CheckUpdate[]) =>
      writeAll(ctx, 'update', async (tx) => {
        const known = await lockKnown(tx.client, ctx.accountId, updates)
        return writeInParts(deps, tx, { account: ctx.accountId, all: updates, change: 'updated' }, (part) =>
          changeLocked(deps, tx, known, { updates: part, evenSame: true }),
        )
      }),

    remove: (ctx: VerbContext, ids: readonly string[]) =>
      writeAll(ctx, 'delete', async (tx) => {
        await lockChecks(tx.client, ctx.accountId, ids)
        return writeInParts(deps, tx, { account: ctx.accountId, all: ids, change: 'deleted' }, (part) =>
          removeLocked(tx, ctx.accountId, part),
        )
      }),
  }
}
