import type { Audited, Change, VerbContext } from '../../../access/write.ts'
import { endEpisodes } from '../../../alerting/episodes/episode-store.ts'
import type { ApiDeps } from '../../api-deps.ts'
import { answerOf } from '../check-answer.ts'
import { readCheck, softDeleteCheck } from '../store.ts'

/** Soft-deletes a check: it does not run and does not alert any more. Its results and alerts stay until retention. */
export const deleteCheck =
  ({ write, hooks }: ApiDeps) =>
  (ctx: VerbContext, id: string): Promise<void> =>
    write(ctx, { action: 'delete', resource: 'checks' }, async (change) => {
      const deleted = await removeCheck(change, ctx.accountId, id)
      const announce = () => hooks.checkChanged(id, { change: 'deleted', runNow: false })
      return { ...deleted, answer: undefined, announce }
    })

/** The same inside a write. */
export async function removeCheck({ client, at, existing }: Change, account: string, id: string): Promise<Audited> {
  const stored = await existing('check', readCheck(client, account, id, true))
  const { check: before } = await answerOf(client, stored, { account, at })
  await softDeleteCheck(client, account, id, at)
  await endEpisodes(client, [id], at)
  return { id, before }
}
