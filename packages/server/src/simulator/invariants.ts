import { dueAt, placesOfSlot, slotAtOrAfter, slotAtOrBefore } from '@vedette/wire'
import { sequenceId } from '@vedette/wire/ids'
import type { History, PastResult } from './history.ts'
import type { SimCheck } from './sim-checks.ts'
import type { Chronicle } from './world.ts'

/** Runs that began this shortly before the end may not have ended. */
const unfinishedMs = 150_000
/** A result is committed at most this long after it came in. */
const commitMs = 2000

/** Every sentence is a broken promise; none means all were kept. */
export function brokenPromises(chronicle: Chronicle, history: History): string[] {
  return [
    ...lostResults(chronicle, history),
    ...unendedRuns(history),
    ...chronicle.checks.flatMap((check) => lostSlots(check, chronicle, history)),
    ...promisedRuns(chronicle, history),
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

/** Attempts are numbered without holes, and the last one, only that one, is final. */
function unendedRuns({ results, pending }: History): string[] {
  const broken = pending > 0 ? [`${pending} one-shots never ended`] : []
  for (const [sequence, attempts] of groupBy(results, (result) => result.sequenceId)) {
    const sorted = attempts.sort((a, b) => a.attempts - b.attempts)
    const isWhole = sorted.every(
      ({ attempts: n, resultType }, at) => n === at && (resultType === 'FINAL') === (at === sorted.length - 1),
    )
    if (!isWhole) broken.push(`run ${sequence}: ${sorted.map((r) => `${r.attempts} ${r.resultType}`).join(', ')}`)
  }
  return broken
}

function lostSlots(check: SimCheck, { startedAt, endedAt }: Chronicle, { results, gaps }: History): string[] {
  const broken: string[] = []
  const own = results.filter(({ checkId }) => checkId === check.id)
  const sequences = new Set(own.map((result) => result.sequenceId))
  const schedule = { checkId: check.id, frequency: check.frequency, frequencyOffset: check.frequencyOffset }
  const last = slotAtOrBefore(schedule, endedAt - unfinishedMs)
  for (let slot = slotAtOrAfter(schedule, startedAt + 1); slot <= last; slot++) {
    const due = dueAt(schedule, slot)
    for (const place of placesOfSlot(check, slot)) {
      const ended = sequences.has(sequenceId(check.id, due, place))
      const excused = gaps.some(({ from, to }) => from <= due && due <= to) || isOverlapped(check, own, { due, place })
      if (!ended && !excused) broken.push(`slot ${new Date(due).toISOString()} of ${check.id} at ${place} is lost`)
    }
  }
  return broken
}

function isOverlapped({ runParallel }: SimCheck, own: PastResult[], { due, place }: { due: number; place: string }) {
  const rivals = runParallel ? own.filter(({ location }) => location === place) : own
  return rivals.some(
    (result) => result.resultType === 'FINAL' && result.dueAt < due && result.receivedAt + commitMs >= due,
  )
}

function promisedRuns({ promised }: Chronicle, { results }: History): string[] {
  const stored = new Set(results.map(({ id }) => id))
  return promised.filter((id) => !stored.has(id)).map((id) => `run ${id} was promised and never ended`)
}

function endStates({ checks, endings }: Chronicle, { states }: History): string[] {
  return checks.flatMap(({ id }) => {
    const expected = endings.get(id) === 'down' ? 'failing' : 'passing'
    return states.get(id) === expected ? [] : [`check ${id} ends as ${states.get(id)}, its target as ${expected}`]
  })
}

/** One promise for each alert that somebody is to hear of. */
function notificationsOf({ checks }: Chronicle, { alerts, notifications }: History): string[] {
  const muted = new Set(checks.filter((check) => check.muted).map(({ id }) => id))
  const byAlert = groupBy(notifications, ({ alertId }) => alertId)
  return alerts.flatMap(({ id, checkId, type }) => {
    const found = byAlert.get(id)?.length ?? 0
    const expected = muted.has(checkId) ? 0 : 1
    return found === expected ? [] : [`alert ${type} of ${checkId} led to ${found} notifications, not ${expected}`]
  })
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
