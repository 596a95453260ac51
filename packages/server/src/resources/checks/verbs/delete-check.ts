import type { VerbContext } from '../../../access/write.ts'
import type { ApiDeps } from '../../api-deps.ts'
import { answerOf } from '../check-answer.ts'
import { readCheck, softDeleteCheck } from '../store.ts'

/** Soft-deletes a check: it does not run and does not alert any more. Its results and alerts stay until retention. */
export const deleteCheck =
  ({ write, hooks }: ApiDeps) =>
  (ctx: VerbContext, id: string): Promise<void> =>
    write(ctx, { action: 'delete', resource: 'checks' }, async ({ client, at, existing }) => {
      const stored = await existing('The check', readCheck(client, ctx.accountId, id, true))
      const { check: before } = await answerOf(client, ctx.accountId, stored)
      await softDeleteCheck(client, ctx.accountId, id, at)
      const announce = () => hooks.checkChanged(id, { change: 'deleted', runNow: false })
      return { id, answer: undefined, before, announce }
    })
