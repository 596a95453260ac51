import { dueAt, intervalMs, phaseMs, locationsOfSlot, slotAtOrAfter, slotAtOrBefore } from '@vedette/wire'
import { sequenceId } from '@vedette/wire/ids'
import type { History, PastResult } from './history.ts'
import type { SimCheck } from './sim-checks.ts'
import type { Chronicle } from './chronicle.ts'

/** Runs that started this shortly before the end may be unfinished, with the simulator's troubles and back-offs. */
const simulatedUnfinishedMs = 150_000
/** A result is committed at most this long after it came in. */
const commitMs = 2000
/** A server that got no answer to a COMMIT asks again within this time; its runs are in flight until then. */
const unsureMs = 60_000
/** Leaps beyond this skip slots, which leaves a gap. */
const longestLeapMs = 60_000

/** Returns a sentence for each invariant that does not hold. */
export function brokenInvariants(chronicle: Chronicle, history: History): string[] {
  return [
    ...lostResults(chronicle, history),
    ...unendedRuns(chronicle, history),
    ...chronicle.checks.flatMap((check) => lostSlots(check, chronicle, history)),
    ...requestedRuns(chronicle, history),
    ...endStates(chronicle, history),
    ...notificationsOf(chronicle, history),
  ]
}

function lostResults({ acknowledged, rejected }: Chronicle, { results }: History): string[] {
  const stored = new Set(results.map(({ id }) => id))
  const lost = [...acknowledged]
    .filter((id) => !stored.has(id))
    .map((id) => `result ${id} was acknowledged and is gone`)
  return [...lost, ...rejected.map((id) => `result ${id} was refused`)]
}

/** Attempts are numbered without holes, and only the last one is final. */
function unendedRuns(
  { endedAt, unfinishedMs = simulatedUnfinishedMs }: Chronicle,
  { results, pending }: History,
): string[] {
  const hadTime = (due: number) => due <= endedAt - unfinishedMs
  const stuck = pending.filter(hadTime).length
  const broken = stuck > 0 ? [`${stuck} one-shots never ended`] : []
  for (const [sequence, attempts] of groupBy(results, (result) => result.sequenceId)) {
    const sorted = attempts.sort((a, b) => a.attempts - b.attempts)
    const isWhole = sorted.every(
      ({ attempts: n, resultType }, at) => n === at && (resultType === 'FINAL') === (at === sorted.length - 1),
    )
    const story = sorted.map((result) => `${result.attempts} ${result.resultType}`).join(', ')
    if (!isWhole && hadTime(sorted[0]?.dueAt ?? 0)) broken.push(`run ${sequence}: ${story}`)
  }
  return broken
}

function lostSlots(check: SimCheck, chronicle: Chronicle, { results, gaps }: History): string[] {
  const { startedAt, endedAt, lostAnswers = [], unfinishedMs = simulatedUnfinishedMs } = chronicle
  const broken: string[] = []
  const own = results.filter(({ checkId }) => checkId === check.id)
  const sequences = new Set(own.map((result) => result.sequenceId))
  const schedule = { checkId: check.id, frequency: check.frequency, frequencyOffset: check.frequencyOffset }
  const last = slotAtOrBefore(schedule, endedAt - unfinishedMs)
  for (let slot = slotAtOrAfter(schedule, startedAt + 1); slot <= last; slot++) {
    const due = dueAt(schedule, slot)
    for (const location of locationsOfSlot(check, slot)) {
      const ended = sequences.has(sequenceId(check.id, due, location))
      const isUnsure = lostAnswers.some((at) => at <= due && due - at <= unsureMs)
      const slackMs = isUnsure ? 2 * unsureMs : commitMs
      const excused =
        gaps.some(({ from, to }) => from <= due && due <= to) || isOverlapped(check, own, { due, location, slackMs })
      if (!ended && !excused) broken.push(`slot ${new Date(due).toISOString()} of ${check.id} at ${location} is lost`)
    }
  }
  return broken
}

/** A slot is dropped while its own run is in flight, or, after a leap of the clock, one requested a little later. */
function isOverlapped(
  check: SimCheck,
  own: PastResult[],
  slot: { due: number; location: string; slackMs: number },
): boolean {
  const { due, location, slackMs } = slot
  const rivals = check.runParallel ? own.filter((result) => result.location === location) : own
  return rivals.some(
    (result) =>
      result.resultType === 'FINAL' &&
      result.receivedAt + slackMs >= due &&
      (result.dueAt < due || (result.dueAt < due + longestLeapMs && !isSlot(check, result.dueAt))),
  )
}

const isSlot = ({ id, frequency, frequencyOffset }: SimCheck, due: number): boolean => {
  const schedule = { checkId: id, frequency, frequencyOffset }
  return (due - phaseMs(schedule)) % intervalMs(schedule) === 0
}

function requestedRuns({ requested }: Chronicle, { results }: History): string[] {
  const stored = new Set(results.map(({ id }) => id))
  return requested.filter((id) => !stored.has(id)).map((id) => `run ${id} was requested and never ended`)
}

function endStates({ checks, endings }: Chronicle, { states }: History): string[] {
  return checks.flatMap(({ id }) => {
    const expected = endings.get(id) === 'down' ? 'failing' : 'passing'
    return states.get(id) === expected ? [] : [`check ${id} ends as ${states.get(id)}, its target as ${expected}`]
  })
}

/**
 * One notification for each alert and subscribed channel, delivered, in order, and under one id for all its attempts.
 */
function notificationsOf({ checks, inbox }: Chronicle, { alerts, notifications }: History): string[] {
  const muted = new Set(checks.filter((check) => check.muted).map(({ id }) => id))
  const byAlert = groupBy(notifications, ({ alertId }) => alertId)
  const arrivals = groupBy(inbox, ({ alertId }) => alertId)
  return [
    ...alerts.flatMap(({ id, checkId, type }) => {
      const found = byAlert.get(id) ?? []
      const names = new Set(arrivals.get(id)?.map(({ notificationId }) => notificationId))
      const expected = muted.has(checkId) ? 0 : 1
      const about = `alert ${type} ${id} of ${checkId}`
      if (found.length !== expected) return [`${about} led to ${found.length} notifications, not ${expected}`]
      if (names.size !== expected) return [`${about} arrived under ${names.size} names, not ${expected}`]
      return found.filter(({ status }) => status !== 'SUCCESS').map(({ status }) => `${about} ended as ${status}`)
    }),
    ...checks.flatMap(({ id }) => disorder(id, inbox, alerts)),
    ...unlabelled(inbox),
  ]
}

function disorder(check: string, inbox: Chronicle['inbox'], alerts: History['alerts']): string[] {
  const decided = alerts.filter(({ checkId }) => checkId === check).map(({ id }) => id)
  const arrived = [...new Set(inbox.filter(({ checkId }) => checkId === check).map(({ alertId }) => alertId))]
  const expected = decided.filter((id) => arrived.includes(id))
  return arrived.join() === expected.join() ? [] : [`the alerts of ${check} arrived in another order than decided`]
}

/** A message that is sent again has a higher attempt number. */
function unlabelled(inbox: Chronicle['inbox']): string[] {
  return [...groupBy(inbox, ({ notificationId }) => notificationId)]
    .filter(([, copies]) => new Set(copies.map(({ attempt }) => attempt)).size < copies.length)
    .map(([id]) => `notification ${id} came twice as the same attempt`)
}

export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}
