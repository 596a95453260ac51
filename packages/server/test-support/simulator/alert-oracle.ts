import { groupBy } from './group-by.ts'
import type { History, PastAlert, PastResult } from './history.ts'
import type { SimCheck } from './sim-checks.ts'
import type { Chronicle, Span } from './chronicle.ts'
import { extended, spansOf } from './schedule-spans.ts'
import { ofWatch } from './watch-alerts.ts'

const ofFailure = new Set(['ALERT_FAILURE', 'ALERT_FAILURE_REMAIN', 'ALERT_DEGRADED_FAILURE'])
const ofDegradation = new Set(['ALERT_DEGRADED', 'ALERT_DEGRADED_REMAIN', 'ALERT_FAILURE_DEGRADED'])
const ofRecovery = new Set(['ALERT_RECOVERY', 'ALERT_DEGRADED_RECOVERY'])

/** Checks alerts against the stored results alone, without the state machine. */
export function wrongAlerts(chronicle: Chronicle, history: History): string[] {
  const { checks, world } = chronicle
  // Due times that pass twice have no order.
  if (world !== undefined && world.leaps.length > 0) return []
  const results = groupBy(ofTheirRevision(history), ({ checkId }) => checkId)
  const alerts = groupBy(history.alerts, ({ checkId }) => checkId)
  return checks.flatMap((check) => {
    const own = results.get(check.id) ?? []
    const inactive = spansOf(check, chronicle, history).filter(({ activated }) => !activated)
    const all = alerts.get(check.id) ?? []
    const notified = all.filter(({ type }) => !ofWatch.has(type))
    const ofWatching = all.filter(({ type }) => ofWatch.has(type))
    return [
      ...baselessWatchAlerts(check, ofWatching, own),
      ...baselessAlerts(check, notified, own),
      ...(check.runParallel || check.parents.length > 0
        ? []
        : missingNotifications(check, notified, silentWhileInactive(decisive(own), inactive))),
    ]
  })
}

/** Without those of a revision that was replaced before they were due: they say nothing of the check. */
function ofTheirRevision({ results, definitions }: History): PastResult[] {
  const replacedAt = new Map(definitions.map(({ checkId, revision, from }) => [`${checkId} ${revision - 1}`, from]))
  return results.filter(
    ({ checkId, revision, dueAt }) => dueAt < (replacedAt.get(`${checkId} ${revision}`) ?? Infinity),
  )
}

function baselessAlerts(check: SimCheck, alerts: readonly PastAlert[], results: readonly PastResult[]): string[] {
  const grounds = new Map((check.runParallel ? results : decisive(results)).map((result) => [result.id, result]))
  const broken: string[] = []
  let open = false
  for (const { type, resultId } of alerts) {
    const ground = grounds.get(resultId)
    const isRecovery = ofRecovery.has(type)
    const isSound = ground !== undefined && isGroundFor(type, ground) && (open || !isRecovery)
    if (!isSound) broken.push(`${type} of ${check.id} has no ground in result ${resultId}`)
    open = !isRecovery
  }
  return broken
}

/** Results that say nothing of the target, so many in a row or for so long, are told of once. */
const unknownInARow = 3
const unknownForMs = 3_600_000

function baselessWatchAlerts(check: SimCheck, alerts: readonly PastAlert[], results: readonly PastResult[]): string[] {
  const grounds = new Map(results.map((result) => [result.id, result]))
  let open = false
  return alerts.flatMap(({ type, resultId, at }) => {
    const ground = grounds.get(resultId)
    // What came late, or afterwards, was not known when the alert was told: it may stand where a lost run stood.
    const isOfThen = ({ id, late, dueAt, receivedAt }: PastResult) =>
      id === resultId || ((late || receivedAt > at) && dueAt <= (ground?.dueAt ?? 0))
    const unwatched = unwatchedAt(results.map((result) => (isOfThen(result) ? asTold(result, at) : result)))
    const isRecovery = type === 'ALERT_UNKNOWN_RECOVERY'
    const isSound = isRecovery
      ? open && ground?.resultType === 'FINAL' && ground.outcome !== 'unknown' && !ground.late
      : !open && unwatched.has(resultId)
    open = !isRecovery
    return isSound ? [] : [`${type} of ${check.id} has no ground in result ${resultId}`]
  })
}

/** A run that was given up is stored as unknown, until its real result comes after all. */
const asTold = (result: PastResult, at: number): PastResult =>
  result.receivedAt > at ? { ...result, outcome: 'unknown', resultType: 'FINAL', receivedAt: at } : result

/** Results with which nothing was known of the target for long enough. */
function unwatchedAt(results: readonly PastResult[]): Set<string> {
  const found = new Set<string>()
  let row: number[] = []
  const final = results.filter(({ resultType }) => resultType === 'FINAL')
  for (const { id, outcome, dueAt } of final.toSorted((a, b) => a.receivedAt - b.receivedAt || a.dueAt - b.dueAt)) {
    const newest = Math.max(...row, 0)
    if (outcome !== 'unknown') row = dueAt < newest ? row : []
    else if (dueAt > newest) row.push(dueAt)
    if (row.length >= unknownInARow || dueAt - (row[0] ?? dueAt) >= unknownForMs) found.add(id)
  }
  return found
}

/** Only a final result that arrived in time alerts. */
function isGroundFor(type: string, { resultType, late, outcome }: PastResult): boolean {
  if (resultType !== 'FINAL' || late) return false
  return ofFailure.has(type) ? outcome === 'fail' : !ofRecovery.has(type) || outcome === 'pass'
}

/** Results that change the condition: known, final, and newer than all before them. */
function decisive(results: readonly PastResult[]): PastResult[] {
  const known = results.filter(({ resultType, outcome }) => resultType === 'FINAL' && outcome !== 'unknown')
  return known.filter(
    (result) => !known.some((other) => other.dueAt > result.dueAt && other.receivedAt < result.receivedAt),
  )
}

/** A run in flight when its check was deactivated alerts as little as a late one. The change takes effect within a moment. */
function silentWhileInactive(results: readonly PastResult[], inactive: readonly Span[]): PastResult[] {
  const silent = extended(inactive, 1000, 1000)
  const isSilent = (at: number) => silent.some(({ from, to }) => from <= at && at <= to)
  return results.map((result) => ({ ...result, late: result.late || isSilent(result.receivedAt) }))
}

/** Follows result by result what channels were notified of, and returns the notifications that are missing. */
function missingNotifications(check: SimCheck, alerts: readonly PastAlert[], results: readonly PastResult[]): string[] {
  const broken: string[] = []
  const byResult = new Map(alerts.map((alert) => [alert.resultId, alert]))
  let notified: Notified = 'nothing'
  let stretch: PastResult[] = []
  for (const result of results) {
    const isSame = stretch[0] && conditionOf(stretch[0]) === conditionOf(result)
    stretch = isSame ? [...stretch, result] : [result]
    notified = notifiedAfter(byResult.get(result.id)?.type, notified)
    const missing = result.late ? undefined : missingNotification(check, stretch, notified)
    if (missing) broken.push(`nobody was notified of the ${missing} with result ${result.id} of ${check.id}`)
  }
  return broken
}

type Notified = 'nothing' | 'degraded' | 'failing'

function notifiedAfter(type: string | undefined, notified: Notified): Notified {
  if (type === undefined) return notified
  if (ofRecovery.has(type)) return 'nothing'
  return ofDegradation.has(type) ? 'degraded' : 'failing'
}

function missingNotification(check: SimCheck, stretch: readonly PastResult[], notified: Notified): string | undefined {
  const condition = stretch[0] && conditionOf(stretch[0])
  if (condition === 'failing' && notified !== 'failing' && isOver(check, stretch)) return 'failure'
  return condition === 'passing' && notified !== 'nothing' ? 'recovery' : undefined
}

function conditionOf({ outcome, degraded }: PastResult): 'passing' | 'degraded' | 'failing' {
  if (outcome === 'fail') return 'failing'
  return degraded ? 'degraded' : 'passing'
}

function isOver({ settings }: SimCheck, stretch: readonly PastResult[]): boolean {
  if (settings.escalationType === 'RUN_BASED') return stretch.length >= settings.runBasedEscalation.failedRunThreshold
  const lasted = (stretch.at(-1)?.dueAt ?? 0) - (stretch[0]?.dueAt ?? 0)
  return lasted >= settings.timeBasedEscalation.minutesFailingThreshold * 60_000
}
