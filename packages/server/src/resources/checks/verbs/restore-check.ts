import type { VerbContext } from '../../../access/write.ts'
import { continueEpisode } from '../../../alerting/episodes/episode-store.ts'
import { conflict } from '../../../api-error.ts'
import { restorableSince } from '../../../db/restorable.ts'
import type { ApiDeps } from '../../api-deps.ts'
import { readAnswer, type VersionedCheck } from '../check-answer.ts'
import { readDeletedCheck, restoreCheck as store } from '../store.ts'

/**
 * Brings back a check that was deleted less than a day ago, as it was, and runs it at once. Throws a 409 when another
 * check has its token for events now.
 */
export const restoreCheck =
  ({ write, hooks }: ApiDeps) =>
  (ctx: VerbContext, id: string): Promise<VersionedCheck> =>
    write(ctx, { action: 'restore', resource: 'checks' }, async ({ client, at, existing }) => {
      const account = ctx.accountId
      const stored = await existing('check', readDeletedCheck(client, account, id, restorableSince(at)))
      const activated = stored.definition.activated === true
      if (!(await store(client, account, id, { activated, at })))
        throw conflict('Another check has its address for events now: change that one first.')
      await continueEpisode(client, id, stored.deleted_at)
      const answer = await readAnswer(client, id, { account, at })
      const runNow = activated && stored.not_runnable === null
      const announce = () => hooks.checkChanged(id, { change: 'created', runNow })
      return { id, answer, after: answer.check, announce }
    })
