import type { HeartbeatAvailability, HeartbeatStats } from '@vedette/wire'
import { invalidField } from '../../api-error.ts'
import type { Queryable } from '../../db/database.ts'
import { countEvents, type EventCount, type Range } from './store.ts'

const dayMs = 86_400_000

/** Times as they are sent. */
export interface SentRange {
  startTime?: number | undefined
  endTime?: number | undefined
}

/** Throws a 400 for a range that is empty. */
export function checkedRange({ startTime, endTime }: SentRange): { from: number | undefined; to: number | undefined } {
  if (startTime !== undefined && endTime !== undefined && startTime >= endTime)
    throw invalidField('startTime', `must be before "endTime" (${endTime}), got ${startTime}`, 'query')
  return { from: startTime, to: endTime }
}

/** The last 24 hours when nothing is sent. */
export function availabilityRange(sent: SentRange, nowMs: number): Range {
  const to = sent.endTime ?? Math.max(nowMs, (sent.startTime ?? 0) + 1)
  const from = sent.startTime ?? Math.max(0, to - dayMs)
  checkedRange({ startTime: from, endTime: to })
  return { from, to }
}

/** The range, and that of the same length before it. */
const withPrevious = ({ from, to }: Range): [Range, Range] => [
  { from, to },
  { from: Math.max(0, from - (to - from)), to: from },
]

const ratioOf = ({ events, failures }: EventCount): number | undefined =>
  events === 0 ? undefined : (events - failures) / events

const none: EventCount = { events: 0, failures: 0 }

const toAvailability = (current: EventCount = none, previous: EventCount = none): HeartbeatAvailability => ({
  successRatio: { previousPeriod: ratioOf(previous), currentPeriod: ratioOf(current) },
  totalEntitiesCurrentPeriod: current.events,
})

export async function readAvailability(
  client: Queryable,
  checkId: string,
  range: Range,
): Promise<HeartbeatAvailability> {
  const [current, previous] = await countEvents(client, checkId, withPrevious(range))
  return toAvailability(current, previous)
}

/** Of the time until now. */
export async function readStats(client: Queryable, checkId: string, nowMs: number): Promise<HeartbeatStats> {
  const until = (days: number) => withPrevious({ from: nowMs - days * dayMs, to: nowMs + 1 })
  const [day, dayBefore, week, weekBefore] = await countEvents(client, checkId, [...until(1), ...until(7)])
  return { last24Hours: toAvailability(day, dayBefore), last7Days: toAvailability(week, weekBefore) }
}
