import { timingSafeEqual } from 'node:crypto'
import type { CheckSessionWithResults, TriggeredRun } from '@vedette/wire'
import { hashSecret } from '../../access/secret-token.ts'
import { notFound, tooManyRequests } from '../../api-error.ts'
import { throttle } from '../../http/callers/throttle.ts'
import { locationToRunAt } from '../../locations/location-param.ts'
import type { ApiDeps } from '../api-deps.ts'
import { awaitSession, runTarget, sessionLink } from '../check-sessions/for-verbs.ts'
import { noteCall, triggerStore } from './store.ts'
import type { TriggerKind } from './trigger-kind.ts'

/** Calls of one trigger: more are a mistake of its caller. */
const mostPerMinute = 10
/** The longest that a call waits for the end of its runs. */
const longestWaitMs = 120_000

interface Call {
  target: string | number
  token: string
  runLocation: string | undefined
  requestId: string
  /** The caller went away. */
  signal: AbortSignal
}

/** Runs a check or a group for whoever has the token, and waits until that is over. */
export function triggerCaller(kind: TriggerKind, deps: ApiDeps): (call: Call) => Promise<TriggeredRun> {
  const { db, clock, vault, baseUrl } = deps
  const calls = throttle({ now: () => clock.monotonic(), tries: mostPerMinute, windowMs: 60_000 })
  const store = triggerStore(kind, vault)
  return async ({ target, token, runLocation, requestId, signal }) => {
    const trigger = await store.read(db.pool, target)
    if (!trigger || !isSame(trigger.token, token)) throw notFound('trigger')
    const name = String(trigger.id)
    const seconds = calls.waitSeconds(name)
    if (seconds > 0) throw tooManyRequests(`More than ${mostPerMinute} calls of this trigger in a minute.`, seconds)
    calls.failed(name)
    const account = trigger.accountId
    const location =
      runLocation === undefined ? undefined : await locationToRunAt(db.pool, account, runLocation, 'runLocation')
    await noteCall(db.pool, kind, trigger.id, new Date(clock.now()))
    const ctx = { accountId: account, actor: `${kind.table}:${trigger.id}`, requestId }
    const begun = await runTarget(deps, ctx, { target: kind.targetOf(target), location })
    const until = clock.monotonic() + longestWaitMs
    const ended: CheckSessionWithResults[] = []
    for (const { id } of begun) {
      const session = await awaitSession(deps, { account, id, forMs: until - clock.monotonic(), signal })
      if (session !== undefined) ended.push(session)
    }
    const sessions = begun.map(({ id }) => ({ checkSessionId: id, checkSessionLink: sessionLink(baseUrl(), id) }))
    return { ...outcomeOf(ended, begun.length), sessions }
  }
}

function outcomeOf(
  ended: readonly CheckSessionWithResults[],
  begun: number,
): Pick<TriggeredRun, 'hasFailures' | 'responseTime'> {
  if (ended.length < begun) return { hasFailures: null, responseTime: null }
  const times = ended
    .flatMap(({ results }) => results)
    .flatMap(({ resultType, responseTime }) => (resultType === 'FINAL' && responseTime !== null ? responseTime : []))
  return {
    hasFailures: ended.some(({ status }) => status !== 'PASSED' && status !== 'DEGRADED'),
    responseTime: times.length === 0 ? null : Math.max(...times),
  }
}

/** In constant time, whatever the lengths. */
const isSame = (known: string, sent: string): boolean => timingSafeEqual(hashSecret(known), hashSecret(sent))
