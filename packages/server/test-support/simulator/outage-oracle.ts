import { intervalMs } from '@vedette/wire'
import type { Chronicle, Span, WorldView } from './chronicle.ts'
import type { History } from './history.ts'
import { ofWatch } from './watch-alerts.ts'
import { extended, isSteadilyNotified, spansOf, union } from './schedule-spans.ts'
import type { SimCheck } from './sim-checks.ts'
import { isOk } from './target.ts'

/** A silent target is given up after this time. */
const silentMs = 31_000
/** After these times everything goes on as usual: leases expire, connections are made again, what waited is run. */
const afterServerMs = 90_000
const afterAgentMs = 150_000
/** A channel that gave notifications up for some time is told again after as long and half a minute, or an hour. */
const afterRefusals = ({ from, to }: Span): Span => ({
  from,
  to: to + Math.min(3_600_000, to - from + 30_000) + afterServerMs,
})
/** A notification that was refused is tried again. */
const deliveryMs = 65_000

const ofFailure = new Set(['ALERT_FAILURE', 'ALERT_FAILURE_REMAIN', 'ALERT_DEGRADED_FAILURE'])

/**
 * Holds the messages that arrived to the true health of the targets, without looking at results: a target that was down
 * for longer than the check's threshold, while somebody could watch it, has been told of; and so has its recovery.
 */
export function missedOutages(chronicle: Chronicle, history: History): string[] {
  const { world } = chronicle
  if (world === undefined) return []
  return [...world.unexcused, ...chronicle.checks.flatMap((check) => missedOf(check, chronicle, world, history))]
}

function missedOf(check: SimCheck, chronicle: Chronicle, world: WorldView, history: History): string[] {
  const spans = spansOf(check, chronicle, history)
  if (check.muted || !isSteadilyNotified(spans) || history.deleted.has(check.id)) return []
  // Which locations a check had when is not certain beside clocks that leap.
  if (spans.length > 1 && world.leaps.length > 0) return []
  if (!isJudged(check, world)) return []
  const stretches = stretchesOf(check, chronicle, world)
  return stretches.flatMap((stretch) => {
    const troubles = union([...troublesOf(check, world, history), ...parentsDown(check, chronicle, history)])
    const at = judgedAt(stretch, troubles, noticedAfterMs(check, chronicle, world, history))
    if (at === undefined) return []
    const told = lastTold(check.id, at, chronicle)
    const isTold = told !== undefined && ofFailure.has(told)
    if (isTold === (stretch.condition === 'down')) return []
    const since = `since ${timeText(stretch.from)}`
    return stretch.condition === 'down'
      ? [`${check.id} is down ${since}, and at ${timeText(at)} nobody knows (last told: ${told ?? 'nothing'})`]
      : [`${check.id} is up ${since}, and at ${timeText(at)} its last message is ${told}`]
  })
}

function isJudged({ runParallel, locations }: SimCheck, { deadLocations }: WorldView): boolean {
  return runParallel || !locations.some((location) => deadLocations.has(location))
}

const timeText = (at: number): string => new Date(at).toISOString().slice(11, 23)

type Condition = 'up' | 'down' | 'mixed'

interface Stretch extends Span {
  condition: Condition
}

/** Times in which the check is certain to pass, or to fail. */
function stretchesOf(check: SimCheck, { startedAt }: Chronicle, world: WorldView): Stretch[] {
  const target = world.targets.get(check.id)
  if (target === undefined) return []
  const stretches: Stretch[] = []
  const times = [startedAt, ...target.changes.filter((at) => at < world.endedAt), world.endedAt]
  for (const [nth, from] of times.slice(0, -1).entries()) {
    const seen = check.locations
      .filter((location) => !world.deadLocations.has(location))
      .map((location) => isOk(target.healthAt(from, location)))
    const condition = conditionOf(check, seen)
    const last = stretches.at(-1)
    if (last?.condition === condition) last.to = times[nth + 1] ?? from
    else stretches.push({ condition, from, to: times[nth + 1] ?? from })
  }
  return stretches.filter(({ condition }) => condition !== 'mixed')
}

function conditionOf({ runParallel, settings }: SimCheck, seen: readonly boolean[]): Condition {
  const down = seen.filter((ok) => !ok).length
  if (down === 0) return 'up'
  if (down === seen.length) return 'down'
  if (!runParallel) return 'mixed'
  const { enabled, percentage } = settings.parallelRunFailureThreshold
  return !enabled || down * 100 >= percentage * seen.length ? 'down' : 'mixed'
}

/** Times that do not count: nobody could watch the check, or it was not to be watched. */
function troublesOf(check: SimCheck, world: WorldView, history: History): Span[] {
  const agents = check.locations.flatMap((location) => world.agentTroubles.get(location) ?? [])
  const own = history.definitions.filter(({ checkId }) => checkId === check.id)
  const inactive = own.flatMap(({ definition, from }, at) =>
    definition['activated'] === false ? [{ from, to: own[at + 1]?.from ?? Infinity }] : [],
  )
  return union([
    ...extended(world.serverTroubles, 0, afterServerMs),
    ...extended(agents, 0, afterAgentMs),
    ...world.brokenChannel.map(afterRefusals),
    ...(world.changes.get(check.id) ?? []),
    ...extended(inactive, 0, afterServerMs),
  ])
}

/** A parent that nobody hears of any more holds back for so long, besides two of its intervals. */
const parentForgottenMs = 6 * 60_000
/** What is held back is looked for once a minute. */
const releasedMs = 60_000

/**
 * Times in which nobody need be told of a check because a parent may be known to fail: its target is down, or was a moment
 * ago.
 */
function parentsDown(check: SimCheck, chronicle: Chronicle, history: History): Span[] {
  const { world, checks } = chronicle
  const parents = checks.filter(({ id }) => check.parents.includes(id))
  if (world === undefined) return []
  return parents.flatMap((parent) => {
    const ups = stretchesOf(parent, chronicle, world).filter(({ condition }) => condition === 'up')
    const needed = noticedAfterMs(parent, chronicle, world, history) + releasedMs
    const forgottenMs = 2 * intervalMs(parent) + parentForgottenMs + releasedMs
    const troubles = troublesOf(parent, world, history)
    const calm = ups.flatMap(({ from, to }) => {
      if (from === chronicle.startedAt) return { from, to }
      const at = judgedAt({ from, to }, troubles, isJudged(parent, world) ? needed : Math.max(needed, forgottenMs))
      return at === undefined ? [] : { from: at, to }
    })
    return complementOf(calm, chronicle.startedAt)
  })
}

/** What is left out between the spans, which are in order. */
function complementOf(spans: readonly Span[], from: number): Span[] {
  const ends = [from, ...spans.map(({ to }) => to)]
  return ends.map((end, nth) => ({ from: end, to: spans[nth]?.from ?? Infinity })).filter((gap) => gap.to > gap.from)
}

/** The moment at which the stretch had lasted long enough; undefined when it ended before. */
function judgedAt({ from, to }: Span, troubles: readonly Span[], neededMs: number): number | undefined {
  let at = from
  let left = neededMs
  for (const trouble of troubles) {
    if (trouble.to <= at) continue
    if (trouble.from - at >= left) break
    left -= Math.max(0, trouble.from - at)
    at = trouble.to
  }
  return at + left <= to ? at + left : undefined
}

/** How long a change of the target may go unnoticed while all is well. */
function noticedAfterMs(check: SimCheck, chronicle: Chronicle, world: WorldView, history: History): number {
  const longest = Math.max(...spansOf(check, chronicle, history).map((span) => intervalMs(span.check)))
  const { longestRunMs, slots } = world
  const fewest = Math.min(...check.locations.map((location) => slots.get(location) ?? Infinity))
  const attemptMs =
    Math.max(longestRunMs, world.silent.has(check.id) ? silentMs : 0) * Math.ceil(chronicle.checks.length / fewest)
  const runMs = Math.max(
    ...retriesOf(check.id, history).map(({ count, backOffMs }) => (count + 1) * attemptMs + backOffMs),
  )
  const { escalationType, runBasedEscalation, timeBasedEscalation } = check.settings
  const isTimed = escalationType === 'TIME_BASED'
  const runs = isTimed ? 1 : runBasedEscalation.failedRunThreshold
  const timedMs = isTimed ? timeBasedEscalation.minutesFailingThreshold * 60_000 : 0
  return timedMs + (runs + 2) * (runMs + longest) + longest + deliveryMs
}

interface Retries {
  count: number
  backOffMs: number
}

function retriesOf(checkId: string, { definitions }: History): Retries[] {
  return definitions
    .filter((past) => past.checkId === checkId)
    .map(({ definition: { doubleCheck, retryStrategy } }) => {
      const strategy = retryStrategy as { type: string; maxRetries?: number; baseBackoffSeconds?: number } | null
      if (strategy === null || strategy === undefined) return { count: doubleCheck === true ? 1 : 0, backOffMs: 0 }
      const { type, maxRetries = 1, baseBackoffSeconds = 60 } = strategy
      const grown =
        type === 'LINEAR' ? (maxRetries * (maxRetries + 1)) / 2 : type === 'EXPONENTIAL' ? 2 ** maxRetries : maxRetries
      return { count: maxRetries, backOffMs: grown * baseBackoffSeconds * 1000 }
    })
}

function lastTold(checkId: string, at: number, { inbox }: Chronicle): string | undefined {
  const ofTarget = inbox.filter((message) => message.checkId === checkId && !ofWatch.has(message.alertType))
  return ofTarget.findLast((message) => (message.at ?? 0) <= at)?.alertType
}
