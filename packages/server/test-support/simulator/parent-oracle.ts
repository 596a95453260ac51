import { intervalMs } from '@vedette/wire'
import { groupBy } from './group-by.ts'
import type { History, PastAlert, PastResult } from './history.ts'
import type { SimCheck } from './sim-checks.ts'
import type { Chronicle } from './chronicle.ts'
import { spansOf } from './schedule-spans.ts'
import { ofWatch } from './watch-alerts.ts'

/** An alert and the results that it goes by are stored within this time of each other, all delays included. */
const togetherMs = 60_000

const isRecovery = ({ type }: PastAlert): boolean => type.endsWith('RECOVERY')

/** Alerts of which nobody is told for the sake of a parent: those that are held back, and the end of what was held back alone. */
export function untoldForParents(alerts: readonly PastAlert[]): Set<string> {
  const untold = new Set<string>()
  const ofTargets = alerts.filter(({ type }) => !ofWatch.has(type))
  for (const own of groupBy(ofTargets, ({ checkId }) => checkId).values()) {
    let isHeld = false
    let isTold = false
    for (const alert of own.toSorted((a, b) => a.seq - b.seq)) {
      if (alert.heldBy !== null || (isRecovery(alert) && isHeld && !isTold)) untold.add(alert.id)
      else isTold = true
      isHeld = !isRecovery(alert) && (isHeld || alert.heldBy !== null)
      if (isRecovery(alert)) isTold = false
    }
  }
  return untold
}

/**
 * Alerts that were held back without a reason, and those that were told although a parent was known to fail: from the stored
 * results and alerts alone. That what is held back comes in the end, the outages themselves say (`outage-oracle.ts`).
 */
export function wronglyHeld(chronicle: Chronicle, history: History): string[] {
  const { checks, world } = chronicle
  // What was known when is not certain beside clocks that leap or differ.
  if ((world?.leaps.length ?? 0) > 0 || world?.clocksDiffer === true) return []
  const byId = new Map(checks.map((check) => [check.id, check]))
  const alerts = groupBy(
    history.alerts.filter(({ type }) => !ofWatch.has(type)),
    ({ checkId }) => checkId,
  )
  return checks.flatMap((check) => {
    const own = alerts.get(check.id) ?? []
    const parents = check.parents.flatMap((id) => byId.get(id) ?? [])
    const baseless = own
      .filter(({ heldBy }) => heldBy !== null && !mayHold(byId.get(heldBy), check, { chronicle, history }))
      .map(({ id, heldBy }) => `alert ${id} of ${check.id} was held back for ${heldBy}, which is none of its parents`)
    const groundless = own.flatMap(({ id, heldBy, at }) => {
      const parent = parents.find((one) => one.id === heldBy)
      if (parent === undefined || wasFailing(parent, at, history)) return []
      return [`alert ${id} of ${check.id} was held back for ${parent.id}, which did not fail then`]
    })
    const loud = openings(own).flatMap(({ id, at }) => {
      const parent = parents.find((one) => wasToldToFail(one, alerts.get(one.id) ?? [], { at, chronicle, history }))
      return parent === undefined ? [] : [`alert ${id} of ${check.id} was told although its parent ${parent.id} failed`]
    })
    return [...baseless, ...groundless, ...loud]
  })
}

interface Known {
  chronicle: Chronicle
  history: History
}

/** Whether it is a parent that could at any time hold anything back. */
const mayHold = (parent: SimCheck | undefined, { parents }: SimCheck, { chronicle, history }: Known): boolean =>
  parent !== undefined &&
  parents.includes(parent.id) &&
  spansOf(parent, chronicle, history).some(({ check, activated }) => activated && !check.muted)

const knownOf = ({ id }: SimCheck, { results }: History): PastResult[] =>
  results.filter(
    ({ checkId, resultType, outcome }) => checkId === id && resultType === 'FINAL' && outcome !== 'unknown',
  )

/** Whether a run of it failed around that time, or the newest before had failed: at any place, where it runs at several. */
function wasFailing(parent: SimCheck, at: number, history: History): boolean {
  const known = knownOf(parent, history)
  const before = known.filter(({ receivedAt }) => receivedAt <= at - togetherMs)
  const places = groupBy(before, ({ location }) => (parent.runParallel ? location : ''))
  const newest = [...places.values()].map((own) => own.toSorted((a, b) => a.dueAt - b.dueAt).at(-1))
  const around = known.filter(({ receivedAt }) => receivedAt > at - togetherMs && receivedAt <= at + togetherMs)
  return [...newest, ...around].some((result) => result?.outcome === 'fail')
}

/** Alerts that told of a trouble of which nobody had been told. */
function openings(alerts: readonly PastAlert[]): PastAlert[] {
  let isTold = false
  return alerts.filter((alert) => {
    if (alert.heldBy !== null) return false
    const opens = !isTold && !isRecovery(alert)
    isTold = !isRecovery(alert)
    return opens
  })
}

/** Whether somebody had been told for some time that it fails, and all its runs since and until then said the same. */
function wasToldToFail(
  parent: SimCheck,
  alerts: readonly PastAlert[],
  { at, chronicle, history }: Known & { at: number },
): boolean {
  const last = alerts.findLast((alert) => alert.at < at + togetherMs)
  if (last === undefined || last.at > at - togetherMs || isRecovery(last) || last.heldBy !== null) return false
  const [span, ...others] = spansOf(parent, chronicle, history)
  const isSteady = others.length === 0 && span?.check.muted === false && !history.deleted.has(parent.id)
  const runs = history.results.filter(
    ({ checkId, resultType, receivedAt }) =>
      checkId === parent.id && resultType === 'FINAL' && receivedAt >= last.at && receivedAt <= at + togetherMs,
  )
  const newest = Math.max(...runs.filter(({ receivedAt }) => receivedAt <= at).map(({ dueAt }) => dueAt))
  const isWatched = at - newest <= 2 * intervalMs(parent)
  return isSteady && isWatched && runs.every(({ outcome }) => outcome === 'fail')
}
