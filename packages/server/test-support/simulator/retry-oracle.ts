import {
  completeRetryStrategy,
  doubleCheckStrategy,
  retryDelayMs,
  type RetryStrategy,
  type retryStrategySchema,
} from '@vedette/wire'
import type { z } from 'zod'
import type { Chronicle } from './chronicle.ts'
import type { History, PastResult } from './history.ts'

/** What says how a run is retried: the settings of its revision. */
interface Plan {
  strategy: RetryStrategy | null
  locations: readonly string[]
  runsInAll: boolean
  staysInPlace: boolean
}

/**
 * Each retry follows from the attempt before it and the strategy: there are no more than it permits, only after network
 * errors where it says so, at the location that it says or, while nobody hears of that, at another one of a check that runs
 * at one at a time, and none is planned for after its longest duration. One that was lost is made once more elsewhere. Around a leap of a clock durations are not what they seem.
 */
export function brokenRetries({ world }: Chronicle, history: History, runs: Iterable<readonly PastResult[]>): string[] {
  const plans = new Map(history.definitions.map((one) => [`${one.checkId} ${one.revision}`, planOf(one.definition)]))
  const timesHold = (world?.leaps.length ?? 0) === 0 && world?.clocksDiffer !== true
  return [...runs].flatMap((attempts) => {
    const [first] = attempts
    const plan = first && plans.get(`${first.checkId} ${first.revision}`)
    if (!plan) return []
    return attempts.slice(1).flatMap((retry, at) => {
      const before = attempts[at]
      if (before === undefined || retry.attempts !== before.attempts + 1) return []
      const isLost = before.outcome === 'unknown'
      const problem = isLost
        ? ofLost(plan, before, retry)
        : (ofFailed(plan, before) ?? ofPlace(plan, before, retry, world))
      const late = timesHold && before.outcome === 'fail' ? ofDuration(plan, first, before) : undefined
      const name = `attempt ${retry.attempts} of run ${retry.sequenceId} of ${retry.checkId}`
      return [problem, late].flatMap((one) => (one === undefined ? [] : [`${name} ${one}`]))
    })
  })
}

function planOf(definition: Record<string, unknown>): Plan {
  const sent = definition['retryStrategy'] as z.infer<typeof retryStrategySchema> | null
  const strategy = sent ? completeRetryStrategy(sent) : definition['doubleCheck'] === true ? doubleCheckStrategy : null
  const runsInAll = definition['runParallel'] === true
  return {
    strategy,
    locations: definition['locations'] as string[],
    runsInAll,
    staysInPlace: runsInAll || strategy?.sameRegion === true,
  }
}

const nextOf = ({ locations }: Plan, location: string): string | undefined =>
  locations[(locations.indexOf(location) + 1) % locations.length]

function ofFailed({ strategy }: Plan, before: PastResult): string | undefined {
  if (before.outcome === 'pass') return 'follows one that passed'
  if (strategy === null) return 'was made without a strategy'
  if (before.attempts >= strategy.maxRetries) return `is more than the ${strategy.maxRetries} of its strategy`
  if (strategy.onlyOn.length > 0 && !before.networkError)
    return 'follows an answer, and only network errors are retried'
  return undefined
}

/** While no server answers, an agent retries by itself where it is: nobody had heard of the attempt before. */
const isOfAgent = (before: PastResult, retry: PastResult): boolean =>
  retry.location === before.location && retry.startedAt !== null && before.receivedAt > retry.startedAt

/** A location counts as without agents for at most this long after one was there again. */
const unheardMs = 15 * 60_000

function ofPlace(plan: Plan, before: PastResult, retry: PastResult, world: Chronicle['world']): string | undefined {
  const expected = (plan.staysInPlace ? before.location : nextOf(plan, before.location)) ?? ''
  if (retry.location === expected || isOfAgent(before, retry)) return undefined
  const isUnheard =
    world?.deadLocations.has(expected) === true ||
    world?.unreachable
      .get(expected)
      ?.some(({ from, to }) => from <= retry.receivedAt && before.receivedAt - unheardMs <= to) === true
  const mayMove = !plan.runsInAll && plan.locations.includes(retry.location)
  return isUnheard && mayMove ? undefined : `was made at ${retry.location}, not at ${expected}`
}

function ofLost(plan: Plan, before: PastResult, retry: PastResult): string | undefined {
  if (before.attempts > (plan.strategy?.maxRetries ?? 0)) return 'follows a second one that was lost'
  return retry.location === before.location ? `was made at ${retry.location} again, where one was lost` : undefined
}

/** Counted from the end of the one before: it may have waited for a server. */
function ofDuration({ strategy }: Plan, first: PastResult, before: PastResult): string | undefined {
  if (!strategy || strategy.type === 'SINGLE_RETRY' || first.startedAt === null) return undefined
  const runMs = (before.stoppedAt ?? before.receivedAt) + retryDelayMs(strategy, before.attempts + 1) - first.startedAt
  if (runMs <= strategy.maxDurationSeconds * 1000) return undefined
  return `was planned for ${Math.round(runMs / 1000)} s after the first began, of ${strategy.maxDurationSeconds}`
}
