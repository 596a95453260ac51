import type { CheckSession, LocationId, RunSource, SessionTarget } from '@vedette/wire'
import { ApiError } from '../../api-error.ts'
import type { VerbContext } from '../../access/write.ts'
import { readLocationSlugs } from '../../locations/location-param.ts'
import { startSessions, type StartedSession } from '../../sessions/index.ts'
import type { ApiDeps } from '../api-deps.ts'
import { matchingChecks } from './store.ts'
import { tagRules } from './tag-filter.ts'
import { startedSession } from './to-session.ts'

/** Checks whose runs are stored by one transaction, which other writers wait for. */
const atOnce = 200

export const noMatchingChecks = (): ApiError => new ApiError(404, 'No matching checks were found.')

type Deps = Pick<ApiDeps, 'db' | 'write' | 'hooks' | 'baseUrl'>

/** Runs every check that matches the target. Throws a 404 when none does. */
export const triggerSessions =
  (deps: Deps) =>
  async (ctx: VerbContext, target: SessionTarget): Promise<CheckSession[]> => {
    const { checkId, matchTags } = target
    const checkIds = await matchingChecks(deps.db.pool, ctx.accountId, {
      checkIds: checkId.length === 0 ? undefined : checkId.filter(isUuid),
      tags: tagRules(matchTags),
    })
    const sessions: StartedSession[] = []
    for (let at = 0; at < checkIds.length; at += atOnce)
      sessions.push(
        ...(await runChecks(deps, ctx, { checkIds: checkIds.slice(at, at + atOnce), source: 'TRIGGER_API' })),
      )
    if (sessions.length === 0) throw noMatchingChecks()
    const slugs = await readLocationSlugs(deps.db.pool, ctx.accountId)
    return sessions.map((session) => startedSession(session, (id) => slugs.slugOf(id as LocationId), deps.baseUrl()))
  }

const isUuid = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)

/** Runs these checks now, those that run. */
export function runChecks(
  { write, hooks }: Pick<Deps, 'write' | 'hooks'>,
  ctx: VerbContext,
  { checkIds, source, location }: { checkIds: readonly string[]; source: RunSource; location?: LocationId },
): Promise<StartedSession[]> {
  return write(ctx, { action: 'trigger', resource: 'check-sessions' }, async ({ client, at }) => {
    const sessions = await startSessions(client, {
      checkIds,
      source,
      accountId: ctx.accountId,
      now: at.getTime(),
      locationsOf: ({ locations, runParallel }) => {
        if (location !== undefined) return [location]
        return runParallel ? locations : locations.slice(0, 1)
      },
    })
    const [first, ...others] = sessions.map(({ id, checkId }) => ({ id, after: { checkId } }))
    if (first === undefined) return { id: '', answer: [], unchanged: true }
    return { ...first, others, answer: sessions, announce: () => hooks.runsRequested(checkIds) }
  })
}
