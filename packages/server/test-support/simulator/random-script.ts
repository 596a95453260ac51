import type { AgentPlan, Blow, CheckPlan, Script, TimedBlow } from './script.ts'
import { seededRandom, type Random } from './random.ts'
import { seededUuid, simLocations } from './sim-checks.ts'
import { randomTroubles } from './target.ts'

const minute = 60_000

export interface Size {
  checks: number
  /** Minutes with faults; after them there are none until the simulation has settled. */
  minutes: number
  servers: number
}

/** How long things last in a world. */
interface Pace {
  minutes: number
  /** Times as long as in a world of minutes. */
  slowness: number
  /** The longest blow, and the share of those that may be as long. */
  longestMs: number
  longShare: number
  rhythms: readonly { frequency: number; frequencyOffset?: number }[]
}

/** In a world of hours agents are cut off, and servers are away, for up to two of them. */
const ofHours: Pace = {
  minutes: 150,
  slowness: 10,
  longestMs: 120 * minute,
  longShare: 0.4,
  rhythms: [{ frequency: 1, frequencyOffset: 5 }, { frequency: 2 }, { frequency: 5 }],
}

/** Every tenth seed has hours, with few checks that run seldom, so that it costs not much more than the others. */
export const hasHours = (seed: number): boolean => seed % 10 === 0

const paceOf = (seed: number, { minutes }: Size): Pace =>
  hasHours(seed)
    ? ofHours
    : { minutes, slowness: 1, longestMs: Math.min(120, minutes) * minute * 0.4, longShare: 0.15, rhythms }

/** The script of a seed. */
export function randomScript(seed: number, wanted: Size): Script {
  const random = seededRandom(seed)
  const pace = paceOf(seed, wanted)
  const size = { ...wanted, ...pace, checks: hasHours(seed) ? 2 : wanted.checks }
  const checks = Array.from({ length: size.checks }, () => randomCheck(random, pace))
  const servers = ['a', 'b'].slice(0, size.servers)
  const agents = randomAgents(random)
  const blows = randomBlows(random, { ...size, servers, agents })
  return {
    seed,
    servers,
    agents,
    checks: withParents(seed, withMassOutage(random, checks, size)),
    blows,
    minutes: size.minutes,
    // Every third world has agents that keep the schedule by themselves.
    ...(seed % 3 === 0 && { planKeptMs: 60 * minute }),
    unreliable: true,
  }
}

/** Sometimes most targets are black holes at once. */
function withMassOutage(random: Random, checks: CheckPlan[], { minutes }: Pace): CheckPlan[] {
  if (!random.chance(0.25)) return checks
  const fromMin = random.next() * minutes * 0.7
  const trouble = { fromMin, toMin: fromMin + random.between(30, 400) / 60, health: 'silent' as const }
  return checks.map((check) => {
    if (random.chance(0.1)) return check
    const [ending, ...others] = check.troubles.toReversed()
    return { ...check, troubles: [...others.toReversed(), trouble, ...(ending ? [ending] : [])] }
  })
}

/** Some depend on others before them. By chances of their own: the worlds of seeds stay as they were but for this. */
function withParents(seed: number, checks: CheckPlan[]): CheckPlan[] {
  const random = seededRandom(seed + 2)
  return checks.map((check, nth) => {
    const parents = checks.slice(0, nth).flatMap((_, nr) => (random.chance(0.25) ? nr : []))
    return parents.length === 0 ? check : { ...check, parents }
  })
}

const strategies = [
  { doubleCheck: true, retryStrategy: null },
  { doubleCheck: false, retryStrategy: null },
  { doubleCheck: false, retryStrategy: { type: 'SINGLE_RETRY', baseBackoffSeconds: 3, sameRegion: false } },
  {
    doubleCheck: false,
    retryStrategy: { type: 'LINEAR', baseBackoffSeconds: 5, maxRetries: 3, maxDurationSeconds: 40 },
  },
  {
    doubleCheck: false,
    retryStrategy: { type: 'FIXED', baseBackoffSeconds: 1, maxRetries: 2, onlyOn: ['NETWORK_ERROR'] },
  },
  { doubleCheck: false, retryStrategy: { type: 'FIXED', baseBackoffSeconds: 30, maxRetries: 2, sameRegion: true } },
  {
    doubleCheck: false,
    retryStrategy: {
      type: 'EXPONENTIAL',
      baseBackoffSeconds: 3,
      maxRetries: 4,
      maxDurationSeconds: 60,
      sameRegion: false,
      onlyOn: ['NETWORK_ERROR'],
    },
  },
]

const rhythms = [
  { frequency: 0, frequencyOffset: 10 },
  { frequency: 0, frequencyOffset: 20 },
  { frequency: 0, frequencyOffset: 30 },
  { frequency: 1, frequencyOffset: 5 },
]

const randomLocations = (random: Random) => simLocations.slice(0, random.between(1, simLocations.length))

function randomCheck(random: Random, pace: Pace): CheckPlan {
  const { minutes } = pace
  const locations = randomLocations(random)
  const endsDown = random.chance(0.33)
  const troubles = randomTroubles(random, pace, locations)
  return {
    id: seededUuid(random),
    sent: {
      ...random.pick(pace.rhythms),
      ...random.pick(strategies),
      locations,
      runParallel: random.chance(0.4),
      muted: random.chance(0.1),
      alertSettings: {
        escalationType: random.chance(0.2) ? 'TIME_BASED' : 'RUN_BASED',
        runBasedEscalation: { failedRunThreshold: random.between(1, 3) },
        parallelRunFailureThreshold: { enabled: random.chance(0.6), percentage: random.pick([10, 50, 70, 100]) },
      },
    },
    troubles: [...troubles, { fromMin: minutes + 0.5, toMin: 1e6, health: endsDown ? 'down' : 'up' }],
  }
}

function randomAgents(random: Random): AgentPlan[] {
  const places = [...simLocations, simLocations[0]]
  return places.map((location, at) => ({
    name: `agent-${at}`,
    location,
    slots: random.chance(0.2) ? random.between(1, 2) : random.between(5, 100),
    aheadMs: random.chance(0.5) ? 0 : random.between(-20_000, 20_000),
  }))
}

/** Storms of blows, with calm times between them in which everything must be noticed. */
function randomBlows(random: Random, plan: BlowsPlan): TimedBlow[] {
  const blows: TimedBlow[] = []
  for (let at = random.between(10, 60) * 1000; at < plan.minutes * minute;) {
    const stormEnds = at + random.between(20, 180) * 1000
    for (; at < stormEnds; at += random.between(2, 40) * 1000) blows.push({ atMs: at, blow: randomBlow(random, plan) })
    at += random.between(30, 360) * 1000 * plan.slowness
  }
  return blows
}

interface BlowsPlan extends Pace {
  checks: number
  servers: readonly string[]
  agents: readonly AgentPlan[]
}

function randomBlow(random: Random, plan: BlowsPlan): Blow {
  const { servers, agents, checks } = plan
  const server = random.pick(servers)
  const agent = random.pick(agents).name
  const check = random.between(0, checks - 1)
  const afterCalls = random.chance(0.2) ? 0 : random.between(1, 60)
  const short = () => random.between(200, 40_000)
  const long = () => random.between(10_000, plan.longestMs)
  const forMs = random.chance(1 - plan.longShare) ? short() : long()
  const blows: readonly [number, () => Blow][] = [
    [4, () => ({ kind: 'kill', server, afterCalls, forMs })],
    [3, () => ({ kind: 'pause', server, afterCalls, forMs })],
    [2, () => ({ kind: 'lose answers', server, count: random.between(1, 6) })],
    [1, () => ({ kind: 'refuse commits', forMs: short() })],
    [1, () => ({ kind: 'silence database', forMs: short() })],
    [3, () => ({ kind: 'crash', agent, forMs })],
    [2, () => ({ kind: 'pause agent', agent, forMs })],
    [4, () => ({ kind: 'cut off', agent, forMs, silently: random.chance(0.5) })],
    [1, () => ({ kind: 'fill disk', agent, forMs })],
    [1, () => ({ kind: 'wedge', agent, forMs })],
    [1, () => ({ kind: 'unplug', agent, forMs })],
    [1, () => ({ kind: 'set clock of agent', agent, byMs: randomLeap(random) })],
    [1, () => ({ kind: 'set clock of server', server, byMs: randomLeap(random) })],
    [3, () => ({ kind: 'change', check, sent: randomChange(random, plan) })],
    [0.3, () => ({ kind: 'delete', check })],
    [3, () => ({ kind: 'request run', check })],
  ]
  return pickWeighted(random, blows)()
}

/** Seconds, or hours. */
function randomLeap(random: Random): number {
  if (random.chance(0.5)) return random.between(-2000, 30_000)
  return random.between(-180, 180) * minute
}

function pickWeighted<T>(random: Random, choices: readonly (readonly [number, T])[]): T {
  const sum = choices.reduce((total, [weight]) => total + weight, 0)
  let at = random.next() * sum
  for (const [weight, choice] of choices) if ((at -= weight) <= 0) return choice
  throw new Error('There is nothing to pick from.')
}

function randomChange(random: Random, { rhythms: possible }: Pace): Record<string, unknown> {
  const changes: readonly (() => Record<string, unknown>)[] = [
    () => random.pick(possible),
    () => ({ locations: randomLocations(random) }),
    () => random.pick(strategies),
    () => ({ activated: random.chance(0.6) }),
    () => ({ muted: random.chance(0.4) }),
  ]
  return random.pick(changes)()
}
