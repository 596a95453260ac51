import type { Audited, Change, VerbContext } from '../../../access/write.ts'
import { endEpisodes } from '../../../alerting/episodes/episode-store.ts'
import type { ApiDeps } from '../../api-deps.ts'
import { answersById } from '../check-answer.ts'
import { softDeleteChecks } from '../content-store.ts'
import { lockChecks, readChecks } from '../store.ts'
import { eachAlone, theOne, type Outcomes } from './each-alone.ts'

/** Soft-deletes a check: it does not run and does not alert any more. Its results and alerts stay until retention. */
export const deleteCheck =
  ({ write, hooks }: ApiDeps) =>
  (ctx: VerbContext, id: string): Promise<void> =>
    write(ctx, { action: 'delete', resource: 'checks' }, async (change) => {
      await lockChecks(change.client, ctx.accountId, [id])
      const deleted = theOne(await removeLocked(change, ctx.accountId, [id]))
      const announce = () => hooks.checkChanged(id, { change: 'deleted', runNow: false })
      return { ...deleted, answer: undefined, announce }
    })

interface RemovedCheck extends Audited {
  runNow: false
}

/** The same for checks that are locked, inside a write. */
export async function removeLocked(
  { client, at, existing }: Change,
  account: string,
  ids: readonly string[],
): Promise<Outcomes<RemovedCheck>> {
  const stored = await readChecks(client, account, ids)
  const answers = await answersById(client, stored.values(), { account, at })
  const outcomes = await eachAlone(
    ids.map((id) => ({ id })),
    async ({ id }): Promise<RemovedCheck> => {
      await existing('check', stored.get(id))
      return { id, before: answers.get(id)?.check, runNow: false }
    },
  )
  const deleted = outcomes.done.map(({ id }) => id)
  await softDeleteChecks(client, account, deleted, at)
  await endEpisodes(client, deleted, at)
  return outcomes
}
