import { timingSafeEqual } from 'node:crypto'
import { isFinalStatus, type CheckSessionWithResults, type TriggeredRun } from '@vedette/wire'
import { hashSecret } from '../../access/secret-token.ts'
import { conflict, notFound, tooManyRequests } from '../../api-error.ts'
import { throttle } from '../../http/callers/throttle.ts'
import { locationToRunAt } from '../../locations/location-param.ts'
import type { ApiDeps } from '../api-deps.ts'
import { awaitSession, runChecks, sessionLink } from '../check-sessions/index.ts'
import { noteCall, triggerStore } from './store.ts'

/** Limit for one trigger. Source: reference, "triggers". */
const mostPerMinute = 10
/** The longest that a call waits for the end of its run. */
const longestWaitMs = 120_000

interface Call {
  checkId: string
  token: string
  runLocation: string | undefined
  requestId: string
  /** The caller went away. */
  signal: AbortSignal
}

/** Runs a check for whoever has its token, and waits until the run is over. */
export function triggerCaller(deps: ApiDeps): (call: Call) => Promise<TriggeredRun> {
  const { db, clock, vault, baseUrl } = deps
  const calls = throttle({ now: () => clock.monotonic(), tries: mostPerMinute, windowMs: 60_000 })
  const store = triggerStore(vault)
  return async ({ checkId, token, runLocation, requestId, signal }) => {
    const trigger = await store.read(db.pool, checkId)
    if (!trigger || !isSame(trigger.token, token)) throw notFound('trigger')
    const name = String(trigger.id)
    const seconds = calls.waitSeconds(name)
    if (seconds > 0) throw tooManyRequests(`More than ${mostPerMinute} calls of this trigger in a minute.`, seconds)
    calls.failed(name)
    const account = trigger.accountId
    const at = runLocation && { location: await locationToRunAt(db.pool, account, runLocation, 'runLocation') }
    await noteCall(db.pool, trigger.id, new Date(clock.now()))
    const ctx = { accountId: account, actor: `trigger:${trigger.id}`, requestId }
    const [session] = await runChecks(deps, ctx, { checkIds: [checkId], source: 'TRIGGER_API', ...(at || {}) })
    if (!session) throw conflict('The check is paused, or cannot run.')
    const { id } = session
    const ended = await awaitSession(deps, { account, id, forMs: longestWaitMs, signal })
    return { ...outcomeOf(ended), checkSessionId: id, checkSessionLink: sessionLink(baseUrl(), id) }
  }
}

function outcomeOf(session: CheckSessionWithResults | undefined): Pick<TriggeredRun, 'hasFailures' | 'responseTime'> {
  if (session === undefined || !isFinalStatus(session.status)) return { hasFailures: null, responseTime: null }
  const times = session.results.flatMap(({ resultType, responseTime }) =>
    resultType === 'FINAL' && responseTime !== null ? responseTime : [],
  )
  return {
    hasFailures: session.status !== 'PASSED' && session.status !== 'DEGRADED',
    responseTime: times.length === 0 ? null : Math.max(...times),
  }
}

/** In constant time, whatever the lengths. */
const isSame = (known: string, sent: string): boolean => timingSafeEqual(hashSecret(known), hashSecret(sent))
