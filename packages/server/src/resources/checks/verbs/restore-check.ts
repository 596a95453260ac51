import type { Audited, Change, VerbContext } from '../../../access/write.ts'
import { continueEpisodes } from '../../../alerting/episodes/episode-store.ts'
import { conflict } from '../../../api-error.ts'
import type { Queryable } from '../../../db/database.ts'
import { restorableSince } from '../../../db/restorable.ts'
import { groupSettings, readGroupsById } from '../../../settings/group-store.ts'
import { resolveCheck } from '../../../settings/resolve-check.ts'
import { lockChecksOfAccount } from '../../../settings/store.ts'
import type { ApiDeps } from '../../api-deps.ts'
import { answersById, type VersionedCheck } from '../check-answer.ts'
import { restoreChecks } from '../content-store.ts'
import { parentAgain } from '../definition/parents.ts'
import { lacksSnippet, readUnknownReferences } from '../definition/references.ts'
import { readChecks, readDeletedChecks } from '../store.ts'
import { lockKnown } from './change-check.ts'
import { eachAlone, theOne, type Outcomes } from './each-alone.ts'
import type { KnownOfAccount } from './plan-change.ts'

/**
 * Brings back a check that was deleted less than a day ago, with its own settings as they were and those of its account
 * as they are, and runs it at once. Checks that named it as a parent do again. Throws a 409 when another check has its token for events now,
 * or when a snippet that it uses was deleted.
 */
export const restoreCheck =
  ({ write, hooks }: ApiDeps) =>
  (ctx: VerbContext, id: string): Promise<VersionedCheck> =>
    write(ctx, { action: 'restore', resource: 'checks' }, async (change) => {
      const known = await lockToBringBack(change.client, ctx.accountId, [id])
      const { runNow, ...restored } = theOne(await bringBackLocked(change, known, [id]))
      const announce = () => hooks.checkChanged(id, { change: 'created', runNow })
      return { ...restored, announce }
    })

/** While checks come back, which may be parents, no other change of a check of the account is under way. */
export async function lockToBringBack(
  client: Queryable,
  account: string,
  ids: readonly string[],
): Promise<KnownOfAccount> {
  await lockChecksOfAccount(client, account)
  return lockKnown(
    client,
    account,
    ids.map((id) => ({ id })),
  )
}

interface RestoredCheck extends Audited {
  answer: VersionedCheck
  runNow: boolean
}

/** The same for checks that are locked, inside a write. */
export async function bringBackLocked(
  { client, at, existing }: Change,
  { account, settings }: KnownOfAccount,
  ids: readonly string[],
): Promise<Outcomes<RestoredCheck>> {
  const stored = await readDeletedChecks(client, account, ids, restorableSince(at))
  const definitions = [...stored.values()].map(({ definition }) => definition)
  const unknown = await readUnknownReferences(client, account, definitions)
  const groups = await readGroupsById(
    client,
    account,
    definitions.map(({ groupId }) => groupId),
  )
  const wanted = await eachAlone(
    ids.map((id) => ({ id })),
    async ({ id }) => {
      const check = await existing('check', stored.get(id))
      if (lacksSnippet(unknown, check.definition))
        throw conflict('A snippet that it uses was deleted meanwhile: it cannot come back.')
      const group = groups.get(check.definition.groupId)
      const own = { ...check.definition, mutedUntil: check.muted_until?.toISOString() ?? null }
      const effective = resolveCheck(own, group && groupSettings(group), settings)
      const runNow = effective.activated && check.not_runnable === null
      return { id, effective, runNow, deletedAt: check.deleted_at }
    },
  )
  const back = await restoreChecks(client, { account, at }, wanted.done)
  await continueEpisodes(
    client,
    wanted.done.filter(({ id }) => back.has(id)),
  )
  await parentAgain(client, account, [...back])
  const answers = await answersById(client, (await readChecks(client, account, [...back])).values(), { account, at })
  const restored = await eachAlone(wanted.done, ({ id, runNow }) => {
    const answer = answers.get(id)
    if (!answer) throw conflict('Another check has its address for events now: change that one first.')
    return { id, answer, after: answer.check, runNow }
  })
  return { done: restored.done, refused: [...wanted.refused, ...restored.refused] }
}
