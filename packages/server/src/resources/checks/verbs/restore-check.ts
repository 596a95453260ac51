import type { Audited, Change, VerbContext } from '../../../access/write.ts'
import { continueEpisode } from '../../../alerting/episodes/episode-store.ts'
import { conflict } from '../../../api-error.ts'
import { restorableSince } from '../../../db/restorable.ts'
import { resolveCheck } from '../../../settings/resolve-check.ts'
import { groupSettings, readGroup } from '../../../settings/group-store.ts'
import { lockAccountSettings } from '../../../settings/store.ts'
import type { ApiDeps } from '../../api-deps.ts'
import { readAnswer, type VersionedCheck } from '../check-answer.ts'
import { readDeletedCheck, restoreCheck as store } from '../store.ts'

/**
 * Brings back a check that was deleted less than a day ago, with its own settings as they were and those of its account
 * as they are, and runs it at once. Throws a 409 when another check has its token for events now.
 */
export const restoreCheck =
  ({ write, hooks }: ApiDeps) =>
  (ctx: VerbContext, id: string): Promise<VersionedCheck> =>
    write(ctx, { action: 'restore', resource: 'checks' }, async (change) => {
      const { runNow, ...restored } = await bringBack(change, ctx.accountId, id)
      const announce = () => hooks.checkChanged(id, { change: 'created', runNow })
      return { ...restored, announce }
    })

interface RestoredCheck extends Audited {
  answer: VersionedCheck
  runNow: boolean
}

/** The same inside a write. */
export async function bringBack({ client, at, existing }: Change, account: string, id: string): Promise<RestoredCheck> {
  const settings = await lockAccountSettings(client, account)
  const stored = await existing('check', readDeletedCheck(client, account, id, restorableSince(at)))
  const mutedUntil = stored.muted_until?.toISOString() ?? null
  const group = await readGroup(client, account, stored.definition.groupId)
  const effective = resolveCheck({ ...stored.definition, mutedUntil }, group && groupSettings(group), settings)
  if (!(await store(client, account, id, { effective, at })))
    throw conflict('Another check has its address for events now: change that one first.')
  await continueEpisode(client, id, stored.deleted_at)
  const answer = await readAnswer(client, id, { account, at })
  return { id, answer, after: answer.check, runNow: effective.activated && stored.not_runnable === null }
}
