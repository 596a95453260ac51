import { checkTypeOf, heartbeatTimes, type PassiveEvent } from '@vedette/checks'
import { isoTime, type HeartbeatTimer } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import { readDeafTimes, readHeartbeat, type HeartbeatOf } from './store.ts'

/** When the next ping is expected, as the type decides it. Undefined when the account has no such heartbeat check. */
export async function readTimer(
  client: Queryable,
  of: HeartbeatOf,
  nowMs: number,
): Promise<HeartbeatTimer | undefined> {
  const check = await readHeartbeat(client, of)
  const mode = checkTypeOf('HEARTBEAT')?.mode
  if (check === undefined || mode?.kind !== 'passive') return undefined
  const { definition, startedAt, lastDueAt, lastPingAt } = check
  const events = lastPingAt === null ? [] : [pingAt(lastPingAt)]
  const gaps = await readDeafTimes(client, { from: lastDueAt ?? startedAt, to: nowMs })
  const asOf = Math.max(nowMs, lastPingAt ?? 0, lastDueAt ?? 0)
  const { lookAgainAt } = mode.decide({ startedAt, events, lastDueAt, gaps }, asOf, definition)
  const deadlineAt = check.waits ? lookAgainAt : null
  const { graceMs } = heartbeatTimes(definition)
  return {
    lastPingAt: isoTime(lastPingAt),
    expectedAt: isoTime(deadlineAt === null ? null : deadlineAt - graceMs),
    deadlineAt: isoTime(deadlineAt),
  }
}

const pingAt = (at: number): PassiveEvent => ({ id: '', at, source: null, userAgent: null, payload: null })
