import type { CheckSession, LocationId, RunSource, SessionTarget } from '@vedette/wire'
import { ApiError } from '../../api-error.ts'
import type { VerbContext } from '../../access/write.ts'
import { readLocationSlugs } from '../../locations/location-param.ts'
import { startSessions, type StartedSession } from '../../sessions/index.ts'
import type { ApiDeps } from '../api-deps.ts'
import { matchingChecks, type MatchingCheck } from './store.ts'
import { tagRules } from './tag-filter.ts'
import { startedSession } from './to-session.ts'

/** Checks whose runs are stored by one transaction, which other writers wait for. */
const mostInOne = 200

const noMatchingChecks = (): ApiError => new ApiError(404, 'No matching checks were found.')

type Deps = Pick<ApiDeps, 'db' | 'write' | 'hooks'>

/** Runs every check that matches the target, and answers with their sessions. Throws a 404 when none does. */
export const triggerSessions =
  (deps: Deps & Pick<ApiDeps, 'baseUrl'>) =>
  async (ctx: VerbContext, target: SessionTarget): Promise<CheckSession[]> => {
    const sessions = await runTarget(deps, ctx, { target })
    const slugs = await readLocationSlugs(deps.db.pool, ctx.accountId)
    return sessions.map((session) => startedSession(session, (id) => slugs.slugOf(id), deps.baseUrl()))
  }

interface TargetWish {
  target: Pick<SessionTarget, 'checkId' | 'groupId' | 'matchTags'>
  /** Where to run instead of where the checks say. */
  location?: LocationId | undefined
}

/** Runs every check that matches the target. Throws a 404 when none does. */
export async function runTarget(
  deps: Deps,
  ctx: VerbContext,
  { target: { checkId, groupId, matchTags }, location }: TargetWish,
): Promise<StartedSession[]> {
  const checks = await matchingChecks(deps.db.pool, ctx.accountId, {
    checkIds: checkId.length === 0 ? undefined : checkId.filter(isUuid),
    tags: tagRules(matchTags),
    groupIds: groupId.length === 0 ? undefined : groupId,
  })
  const parts = groupId.length === 0 ? inParts(checks) : byGroup(checks)
  const sessions: StartedSession[] = []
  for (const part of parts) sessions.push(...(await runChecks(deps, ctx, { ...part, location })))
  if (sessions.length === 0) throw noMatchingChecks()
  return sessions
}

const isUuid = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)

/** Checks that are begun by one transaction. */
interface Part {
  checkIds: string[]
  source: RunSource
  /** So many of them run at a time; all when undefined. */
  atOnce?: number
}

function inParts(checks: readonly MatchingCheck[]): Part[] {
  const parts: Part[] = []
  for (let at = 0; at < checks.length; at += mostInOne)
    parts.push({ checkIds: checks.slice(at, at + mostInOne).map(({ id }) => id), source: 'TRIGGER_API' })
  return parts
}

function byGroup(checks: readonly MatchingCheck[]): Part[] {
  const groups = new Map<number | null, Part>()
  for (const { id, groupId, concurrency } of checks) {
    const part = groups.get(groupId) ?? { checkIds: [], source: 'GROUP_RUN_ALL', atOnce: concurrency ?? 1 }
    part.checkIds.push(id)
    groups.set(groupId, part)
  }
  return [...groups.values()]
}

/** Runs these checks now, those that run, at all of their locations when they run in parallel, else at their first. */
function runChecks(
  { write, hooks }: Pick<Deps, 'write' | 'hooks'>,
  ctx: VerbContext,
  { checkIds, source, atOnce, location }: Part & { location: LocationId | undefined },
): Promise<StartedSession[]> {
  return write(ctx, { action: 'trigger', resource: 'check-sessions' }, async ({ client, at, audit }) => {
    const sessions = await startSessions(client, {
      checkIds,
      source,
      atOnce,
      accountId: ctx.accountId,
      now: at.getTime(),
      locationsOf: ({ locations, runParallel }) => {
        if (location !== undefined) return [location]
        return runParallel ? locations : locations.slice(0, 1)
      },
    })
    if (sessions.length === 0) return { id: '', answer: [], unchanged: true }
    await audit(sessions.map(({ id, checkId }) => ({ id, after: { checkId } })))
    return { id: '', answer: sessions, unchanged: true, announce: () => hooks.runsRequested(checkIds) }
  })
}
