import { seededRandom } from '../random.ts'
import type { AgentPlan, Blow, CheckPlan, Script, TimedBlow } from '../script.ts'
import { seededUuid } from '../sim-checks.ts'
import type { Simulation } from '../simulate.ts'
import type { Trouble } from '../target.ts'
import { startOfTime } from '../world/world.ts'

/** A world in which certain things happen at certain times. */
export interface Scenario {
  /** What is expected, as a sentence. */
  name: string
  script: Script
  /** What is expected besides the invariants: a sentence for each thing that is not so. */
  also?: (simulation: Simulation) => string[]
}

/** An agent with room for everything, unless slots are given. */
export const agentAt = (location: string, more: Partial<AgentPlan> = {}): AgentPlan => ({
  name: `agent of ${location}`,
  location,
  slots: 100,
  ...more,
})

/** A check every 20 seconds that pages at the first failure. The number gives it its id. */
export function checkOf(nth: number, sent: Record<string, unknown> = {}, troubles: readonly Trouble[] = []): CheckPlan {
  const often = { frequency: 0, frequencyOffset: 20, doubleCheck: false, retryStrategy: null }
  const alertSettings = { escalationType: 'RUN_BASED', runBasedEscalation: { failedRunThreshold: 1 } }
  return {
    id: seededUuid(seededRandom(nth)),
    sent: { ...often, locations: ['eu-west-1'], runParallel: false, alertSettings, ...sent },
    troubles,
  }
}

export const down = (fromMin: number, toMin: number, seenFrom?: readonly string[]): Trouble => ({
  fromMin,
  toMin,
  health: 'down',
  ...(seenFrom && { seenFrom }),
})

/** A blow at a time in minutes. */
export const at = (minutes: number, blow: Blow): TimedBlow => ({ atMs: minutes * 60_000, blow })

export const scriptOf = (parts: Partial<Script> & Pick<Script, 'minutes' | 'checks'>): Script => ({
  seed: 1,
  servers: ['a'],
  agents: [agentAt('eu-west-1')],
  blows: [],
  unreliable: false,
  ...parts,
})

/** Minutes since the beginning. */
export const minuteOf = (time: number): number => (time - startOfTime) / 60_000

/** The longest time between two results of any check, from the beginning on, in minutes. */
export function longestSilence({ chronicle, history }: Simulation): number {
  const silences = chronicle.checks.map(({ id }) => {
    const times = history.results.filter(({ checkId }) => checkId === id).map(({ receivedAt }) => minuteOf(receivedAt))
    const sorted = [0, ...times.toSorted((a, b) => a - b)]
    return Math.max(...sorted.map((time, nth) => time - (sorted[nth - 1] ?? 0)))
  })
  return Math.max(...silences)
}
