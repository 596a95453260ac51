import { randomUUID } from 'node:crypto'
import { checkTypeOf } from '@vedette/checks'
import type { Queryable } from '../db/database.ts'
import type { PendingRun } from '../runs.ts'
import { storeRuns, type RunsWish } from '../scheduling/requests/run-requests.ts'
import { sessionLimitMs } from './session-limit.ts'
import { insertSessions, readSessionChecks, type NewSession, type SessionCheck } from './store.ts'

/** A session that was stored, with the ids that the results of its first attempts will have. */
export interface StartedSession extends NewSession {
  resultIds: string[]
}

/** Stores runs besides the schedule, and a session for each check. Checks that do not run are left out. */
export async function startSessions(client: Queryable, wish: RunsWish): Promise<StartedSession[]> {
  const runs = new Map<string, PendingRun[]>()
  for (const run of await storeRuns(client, wish)) runs.set(run.checkId, [...(runs.get(run.checkId) ?? []), run])
  const checks = await readSessionChecks(client, [...runs.keys()])
  const sessions = checks.flatMap((check) => sessionOf(check, runs.get(check.id) ?? [], wish.now) ?? [])
  await insertSessions(client, sessions)
  return sessions
}

function sessionOf(check: SessionCheck, runs: readonly PendingRun[], now: number): StartedSession | undefined {
  const [first] = runs
  if (first === undefined) return undefined
  return {
    id: randomUUID(),
    accountId: first.accountId,
    checkId: check.id,
    name: check.name,
    type: check.type,
    source: first.source,
    locations: runs.map(({ location }) => location),
    createdAt: now,
    dueAt: first.dueAt,
    giveUpAt: now + limitOf(check),
    resultIds: runs.map(({ attemptId }) => attemptId),
  }
}

function limitOf({ type, definition, effective }: SessionCheck): number {
  const mode = checkTypeOf(type)?.mode
  const timeoutMs = mode?.kind === 'scheduled' ? mode.timeoutMs(definition) : 0
  return sessionLimitMs(timeoutMs, effective.retryStrategy)
}
