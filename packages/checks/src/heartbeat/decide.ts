import type { HeartbeatState } from '@vedette/wire'
import type { PassiveDecision, PassiveEvent, PassiveHistory, PassiveResult } from '../core/passive.ts'
import { heartbeatTimes, type HeartbeatDefinition } from './fields.ts'
import type { HeartbeatEvidence } from './result.ts'

/** A ping before this part of the period is early. */
const earlyPart = 0.8
/** How much later than the period a ping counts as on time: jobs and networks take a moment. */
const onTimeMs = 2000
/** A check whose server is restarted again and again would wait for ever if each restart began the wait anew. */
const mostSpansHeard = 3

/** After a gap jobs try again for half a minute, counted from when the server says that it is ready. */
const leastAfterGapMs = 35_000

type Gaps = PassiveHistory['gaps']

/** When `heardMs` have passed since `from` in which an event could arrive. */
function heardBy(from: number, heardMs: number, gaps: Gaps): number {
  let [at, left] = [from, heardMs]
  for (const gap of gaps.toSorted((a, b) => a.from - b.from)) {
    const before = Math.max(0, gap.from - at)
    if (before >= left) break
    left -= before
    at = Math.max(at, gap.to)
  }
  return at + left
}

/** The end of a wait that began at `from`, begun anew after each gap in it: a ping could have been missed. */
function endAfterGaps(from: number, spanMs: number, gaps: Gaps): number {
  const gap = gaps.findLast(({ from: begins, to }) => to > from && begins < from + spanMs)
  return gap === undefined ? from + spanMs : endAfterGaps(gap.to, Math.max(spanMs, leastAfterGapMs), gaps)
}

/** When a wait that began at `from` fails. */
const deadlineOf = (from: number, spanMs: number, gaps: Gaps): number =>
  Math.min(endAfterGaps(from, spanMs, gaps), heardBy(from, spanMs * mostSpansHeard, gaps))

/** The state of a ping, by the time since the ping before it and the beginning of its wait. */
function stateOf(definition: HeartbeatDefinition, sincePingMs: number, waitedMs: number): HeartbeatState {
  const { periodMs, graceMs } = heartbeatTimes(definition)
  if (sincePingMs < periodMs * earlyPart) return 'EARLY'
  if (waitedMs > periodMs + graceMs) return 'LATE'
  return waitedMs > periodMs + onTimeMs ? 'GRACE' : 'RECEIVED'
}

/** What follows from the pings of a heartbeat check, and from their absence. The first ping starts the timer. */
export function decide(
  { startedAt, events, lastDueAt, gaps }: PassiveHistory,
  nowMs: number,
  definition: HeartbeatDefinition,
): PassiveDecision<HeartbeatEvidence> {
  const { periodMs, graceMs } = heartbeatTimes(definition)
  const spanMs = periodMs + graceMs
  const results: PassiveResult<HeartbeatEvidence>[] = []
  let since = lastDueAt ?? startedAt
  let last: PassiveEvent | undefined = events[0]
  if (last === undefined) return { results, lookAgainAt: null }

  const missUntil = (until: number, lastPingAt: number): void => {
    for (let end = deadlineOf(since, spanMs, gaps); end <= until; end = deadlineOf(since, spanMs, gaps)) {
      const evidence = { state: 'FAILING', sinceLastPingMs: end - lastPingAt, source: null, userAgent: null } as const
      results.push({ dueAt: end, evidence })
      since = end
    }
  }
  for (const ping of events.filter(({ at }) => at > since && at <= nowMs)) {
    const isFirst = ping === events[0]
    const sincePingMs = ping.at - last.at
    if (!isFirst) missUntil(ping.at - 1, last.at)
    const state = isFirst ? 'RECEIVED' : stateOf(definition, sincePingMs, ping.at - Math.max(last.at, startedAt))
    const { source, userAgent } = ping
    results.push({
      dueAt: ping.at,
      evidence: { state, sinceLastPingMs: isFirst ? null : sincePingMs, source, userAgent },
    })
    since = ping.at
    last = ping
  }
  missUntil(nowMs, last.at)
  return { results, lookAgainAt: deadlineOf(since, spanMs, gaps) }
}
