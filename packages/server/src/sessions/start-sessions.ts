import { randomUUID } from 'node:crypto'
import { checkTypeOf } from '@vedette/checks'
import type { Queryable } from '../db/database.ts'
import type { PendingRun } from '../runs.ts'
import { checksThatRun, locationsInTurn, storeRuns, type RunsWish } from '../scheduling/requests/run-requests.ts'
import { sessionLimitMs } from './session-limit.ts'
import { insertSessions, readSessionChecks, type NewSession, type SessionCheck } from './store.ts'

/** A session that was stored, with the ids that the results of its first attempts will have. */
export interface StartedSession extends NewSession {
  resultIds: string[]
}

export interface SessionsWish extends RunsWish {
  /** Checks run in the order of their ids in the wish, so many at a time; by default all at once. */
  atOnce?: number | undefined
}

/** Stores runs besides the schedule, and a session for each check. Checks that do not run are left out. */
export async function startSessions(client: Queryable, wish: SessionsWish): Promise<StartedSession[]> {
  const { now, source, accountId, atOnce = Infinity, locationsOf = locationsInTurn(now) } = wish
  const scheduled = new Map((await checksThatRun(client, wish)).map((check) => [check.checkId, check]))
  const ids = wish.checkIds.filter((id) => scheduled.has(id))
  const runs = byCheck(await storeRuns(client, { checkIds: ids.slice(0, atOnce), source, accountId, now, locationsOf }))
  const checks = new Map((await readSessionChecks(client, ids)).map((check) => [check.id, check]))
  const batch = ids.length > atOnce ? randomUUID() : undefined
  const sessions = ids.flatMap((id, position): StartedSession[] => {
    const [plan, check, ofCheck = []] = [scheduled.get(id), checks.get(id), runs.get(id)]
    const [first] = ofCheck
    if (plan === undefined || check === undefined || (first === undefined && batch === undefined)) return []
    return [
      {
        id: randomUUID(),
        accountId: plan.accountId,
        checkId: id,
        name: check.name,
        type: check.type,
        source,
        locations: first === undefined ? locationsOf(plan) : ofCheck.map(({ location }) => location),
        createdAt: now,
        dueAt: first?.dueAt ?? null,
        giveUpAt: first === undefined ? null : now + limitOf(check),
        turn: batch === undefined ? null : { batch, position, atOnce },
        resultIds: ofCheck.map(({ attemptId }) => attemptId),
      },
    ]
  })
  await insertSessions(client, sessions)
  return sessions
}

function byCheck(runs: readonly PendingRun[]): Map<string, PendingRun[]> {
  const found = new Map<string, PendingRun[]>()
  for (const run of runs) found.set(run.checkId, [...(found.get(run.checkId) ?? []), run])
  return found
}

/** How long the session of a check waits for its results. */
export function limitOf({ type, definition, effective }: SessionCheck): number {
  const mode = checkTypeOf(type)?.mode
  const timeoutMs = mode?.kind === 'scheduled' ? mode.timeoutMs(definition) : 0
  return sessionLimitMs(timeoutMs, effective.retryStrategy)
}
