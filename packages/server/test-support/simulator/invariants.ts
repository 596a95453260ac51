import { dueAt, intervalMs, phaseMs, locationsOfSlot, slotAtOrAfter, slotAtOrBefore } from '@vedette/wire'
import { sequenceId } from '@vedette/wire/ids'
import { brokenEpisodes } from './episode-oracle.ts'
import { groupBy } from './group-by.ts'
import { retries } from '../../src/alerting/delivery/retry-plan.ts'
import type { History, PastNotification, PastResult } from './history.ts'
import type { SimCheck } from './sim-checks.ts'
import type { Chronicle, Span } from './chronicle.ts'
import { untoldForParents } from './parent-oracle.ts'
import { brokenRetries } from './retry-oracle.ts'
import { ofWatch } from './watch-alerts.ts'
import { isSteadilyNotified, spansOf } from './schedule-spans.ts'

/** Runs that started this shortly before the end may be unfinished, with the simulator's troubles and back-offs. */
const simulatedUnfinishedMs = 150_000
/** A result is committed at most this long after it came in. */
const commitMs = 2000
/** After the database refused to store, what was lost meanwhile is stored at most this long later; it is in flight until then. */
const catchUpMs = 32_000
/** A server that got no answer to a COMMIT asks again within this time; its runs are in flight until then. */
const unsureMs = 60_000
/** Leaps beyond this skip slots, which leaves a gap. */
const longestLeapMs = 60_000
/** A change of a check has its effect everywhere after this time. */
const changeMs = 15_000
/** Around a leap of a server's clock due times are not what they seem. */
const leapMs = 2 * 60_000

const notDueYet = 'The slot is not due yet.'

/** Returns a sentence for each invariant that does not hold. */
export function brokenInvariants(chronicle: Chronicle, history: History): string[] {
  return [
    ...lostResults(chronicle, history),
    ...unendedRuns(chronicle, history),
    ...brokenRetries(chronicle, history, runsOf(history)),
    ...chronicle.checks.flatMap((check) => lostSlots(check, chronicle, history)),
    ...requestedRuns(chronicle, history),
    ...endStates(chronicle, history),
    ...brokenEpisodes(chronicle, history),
    ...notificationsOf(chronicle, history),
  ]
}

function lostResults({ acknowledged, rejected, world }: Chronicle, { results }: History): string[] {
  const stored = new Set(results.map(({ id }) => id))
  const lost = [...acknowledged]
    .filter((id) => !stored.has(id))
    .map((id) => `result ${id} was acknowledged and is gone`)
  // An agent may have the time of a server whose clock was ahead, and then meet one that has another time.
  const hadOtherTime = (world?.leaps.length ?? 0) > 0 || world?.clocksDiffer === true
  const refused = rejected.filter(
    // Runs of a deleted check are of no use to anybody.
    ({ reason }) => !reason.endsWith('does not exist') && !(hadOtherTime && reason === notDueYet),
  )
  return [...lost, ...refused.map(({ attemptId, reason }) => `result ${attemptId} was refused: ${reason}`)]
}

/** Attempts are numbered without holes, and only the last one is final. A run ends early with the check. */
function unendedRuns({ endedAt, unfinishedMs = simulatedUnfinishedMs }: Chronicle, history: History): string[] {
  const { results, pending } = history
  const stopped = stoppedChecks(history)
  const hadTime = (due: number) => due <= endedAt - unfinishedMs
  const broken = pending
    .filter(({ dueAt }) => hadTime(dueAt))
    .map(({ checkId, dueAt, attempt, source }) => {
      const due = new Date(dueAt).toISOString()
      return `attempt ${attempt} of ${checkId}, due at ${due} and stored as to do (${source}), never ended`
    })
  for (const [sequence, attempts] of groupBy(results, (result) => result.sequenceId)) {
    const sorted = attempts.sort((a, b) => a.attempts - b.attempts)
    const isWhole = sorted.every(
      ({ attempts: n, resultType }, at) => n === at && (resultType === 'FINAL') === (at === sorted.length - 1),
    )
    const story = sorted.map((result) => `${result.attempts} ${result.resultType}`).join(', ')
    const mayBeCut = stopped.has(sorted[0]?.checkId ?? '')
    if (!isWhole && !mayBeCut && hadTime(sorted[0]?.dueAt ?? 0)) broken.push(`run ${sequence}: ${story}`)
  }
  return broken
}

const runsOf = ({ results }: History): PastResult[][] =>
  [...groupBy(results, (result) => result.sequenceId).values()].map((attempts) =>
    attempts.toSorted((a, b) => a.attempts - b.attempts),
  )

/** Checks that were deleted or deactivated at any time. */
function stoppedChecks({ deleted, definitions }: History): Set<string> {
  const inactive = definitions.filter(({ definition }) => definition['activated'] === false)
  return new Set([...deleted, ...inactive.map(({ checkId }) => checkId)])
}

/** Slots that a check should have had, and slots it had while it was not activated. */
function lostSlots(check: SimCheck, chronicle: Chronicle, history: History): string[] {
  const { startedAt, endedAt, unfinishedMs = simulatedUnfinishedMs } = chronicle
  const own = history.results.filter(({ checkId }) => checkId === check.id)
  const sequences = new Set(own.map((result) => result.sequenceId))
  const spans = spansOf(check, chronicle, history)
  const circumstances = { ...chronicle, gaps: history.gaps }
  // Servers whose clocks differ by more than a moment have different slots.
  if (history.deleted.has(check.id) || chronicle.world?.clocksDiffer) return []
  return spans.flatMap((span, at) => {
    const from = at === 0 ? startedAt + 1 : span.from + changeMs
    const to = Math.min(endedAt - unfinishedMs, span.to - 2000)
    return slotsBetween(span.check, from, to).flatMap(({ due, location }) => {
      const ended = sequences.has(sequenceId(check.id, due, location))
      const told = `slot ${new Date(due).toISOString()} of ${check.id} at ${location}`
      if (!span.activated)
        return ended && !chronicle.hasPlans ? [`${told} ran although the check was not activated`] : []
      return ended || isExcused(span.check, own, { due, location }, circumstances) ? [] : [`${told} is lost`]
    })
  })
}

function slotsBetween(check: SimCheck, from: number, to: number): { due: number; location: string }[] {
  const schedule = { checkId: check.id, frequency: check.frequency, frequencyOffset: check.frequencyOffset }
  const slots: { due: number; location: string }[] = []
  for (let slot = slotAtOrAfter(schedule, from); slot <= slotAtOrBefore(schedule, to); slot++)
    for (const location of locationsOfSlot(check, slot)) slots.push({ due: dueAt(schedule, slot), location })
  return slots
}

interface Slot {
  due: number
  location: string
}

function isExcused(
  check: SimCheck,
  own: PastResult[],
  { due, location }: Slot,
  { lostAnswers = [], world, gaps }: Pick<Chronicle, 'lostAnswers' | 'world'> & Pick<History, 'gaps'>,
): boolean {
  const isUnsure =
    lostAnswers.some((at) => at <= due && due - at <= unsureMs) ||
    // Results that have come in wait for a database that stores nothing.
    world?.serverTroubles.some(({ from, to }) => from <= due && due <= to + catchUpMs) === true
  const slackMs = isUnsure ? 2 * unsureMs : commitMs
  const inGap = gaps.some(
    (gap) => gap.from <= due && due <= gap.to && (gap.location === null || gap.location === location),
  )
  const wasLeapt = world?.leaps.some(({ from, to }) => from - leapMs <= due && due <= to + leapMs)
  const troubles = world?.serverTroubles ?? []
  return inGap || wasLeapt === true || isOverlapped(check, own, { due, location, slackMs, troubles })
}

/** A slot is dropped while its own run is in flight, or, after a leap of the clock, one requested a little later. */
function isOverlapped(
  check: SimCheck,
  own: PastResult[],
  slot: Slot & { slackMs: number; troubles: readonly Span[] },
): boolean {
  const { due, location, slackMs, troubles } = slot
  // A server that is suspended between a result and its COMMIT stores it when it goes on.
  const storedBy = ({ receivedAt }: PastResult) => {
    const held = troubles.filter(({ from, to }) => from <= receivedAt + commitMs && receivedAt <= to)
    return Math.max(receivedAt + slackMs, ...held.map(({ to }) => to + catchUpMs))
  }
  const rivals = check.runParallel ? own.filter((result) => result.location === location) : own
  return rivals.some(
    (result) =>
      result.resultType === 'FINAL' &&
      storedBy(result) >= due &&
      (result.dueAt < due || (result.dueAt < due + longestLeapMs && !isSlot(check, result.dueAt))),
  )
}

const isSlot = ({ id, frequency, frequencyOffset }: SimCheck, due: number): boolean => {
  const schedule = { checkId: id, frequency, frequencyOffset }
  return (due - phaseMs(schedule)) % intervalMs(schedule) === 0
}

function requestedRuns({ requested, world }: Chronicle, history: History): string[] {
  const stored = new Set(history.results.map(({ id }) => id))
  const stopped = stoppedChecks(history)
  return requested
    .filter((id) => !stored.has(id) && !stopped.has(world?.requestedOf.get(id) ?? ''))
    .map((id) => `run ${id} was requested and never ended`)
}

function endStates(chronicle: Chronicle, history: History): string[] {
  const { checks, endings } = chronicle
  return checks.flatMap((check) => {
    const { id } = check
    const runs = !history.deleted.has(id) && spansOf(check, chronicle, history).at(-1)?.activated
    const expected = endings.get(id) === 'down' ? 'failing' : 'passing'
    const state = history.states.get(id)
    return !runs || state === expected ? [] : [`check ${id} ends as ${state}, its target as ${expected}`]
  })
}

/**
 * One notification for each alert and subscribed channel, delivered, in order, and under one id for all its attempts.
 */
function notificationsOf(chronicle: Chronicle, history: History): string[] {
  const { checks, inbox, world } = chronicle
  const { alerts, notifications } = history
  const expected = new Map(checks.map((check) => [check.id, expectedNotifications(check, chronicle, history)]))
  const byAlert = groupBy(notifications, ({ alertId }) => alertId)
  const arrivals = groupBy(inbox, ({ alertId }) => alertId)
  const mayFail = (world?.brokenChannel.length ?? 0) > 0
  const untold = untoldForParents(alerts)
  return [
    ...alerts.flatMap(({ id, checkId, type }) => {
      const all = byAlert.get(id) ?? []
      const found = all.filter((one) => !wasRefusedThroughout(one))
      const names = new Set(arrivals.get(id)?.map(({ notificationId }) => notificationId)).size
      const ofCheck = expected.get(checkId)
      if (ofCheck === undefined || mayFail) return []
      const number = untold.has(id) ? 0 : ofCheck
      const about = `alert ${type} ${id} of ${checkId}`
      if (found.length < all.length) return found.length > number ? [`${about} led to ${all.length} notifications`] : []
      if (found.length !== number) return [`${about} led to ${found.length} notifications, not ${number}`]
      if (names !== number) return [`${about} arrived under ${names} names, not ${number}`]
      return found.filter(({ status }) => status !== 'SUCCESS').map(({ status }) => `${about} ended as ${status}`)
    }),
    // When alerts were decided is not certain beside clocks that leap.
    ...(world?.leaps.length ? [] : checks.flatMap(({ id }) => disorder(id, inbox, alerts))),
    ...unlabelled(inbox),
  ]
}

/** The channel happened to refuse every attempt. Then the next bad run notifies again. */
const wasRefusedThroughout = ({ status, attempts }: PastNotification): boolean =>
  status === 'FAILURE' && attempts > retries

/** Notifications of each alert; undefined when that depends on the moment. */
function expectedNotifications(check: SimCheck, chronicle: Chronicle, history: History): number | undefined {
  const isSimple = isSteadilyNotified(spansOf(check, chronicle, history)) && !history.deleted.has(check.id)
  if (!isSimple || chronicle.world?.subscribed.has(check.id)) return undefined
  return check.muted ? 0 : 1
}

/** Alerts of the target in their order. Those that it is not watched are a trouble of their own. */
function disorder(check: string, inbox: Chronicle['inbox'], alerts: History['alerts']): string[] {
  const decided = alerts.filter(({ checkId, type }) => checkId === check && !ofWatch.has(type)).map(({ id }) => id)
  const ofTarget = inbox.filter(({ checkId, alertType }) => checkId === check && !ofWatch.has(alertType))
  const arrived = [...new Set(ofTarget.map(({ alertId }) => alertId))]
  const expected = decided.filter((id) => arrived.includes(id))
  return arrived.join() === expected.join() ? [] : [`the alerts of ${check} arrived in another order than decided`]
}

/**
 * A message that is sent again has a higher attempt number. Only an alert of the installation whose COMMIT had no answer is
 * sent directly too, beside what may have been stored.
 */
function unlabelled(inbox: Chronicle['inbox']): string[] {
  const ofChecks = inbox.filter(({ system }) => system === undefined)
  return [...groupBy(ofChecks, ({ notificationId }) => notificationId)]
    .filter(([, copies]) => new Set(copies.map(({ attempt }) => attempt)).size < copies.length)
    .map(([id]) => `notification ${id} came twice as the same attempt`)
}
