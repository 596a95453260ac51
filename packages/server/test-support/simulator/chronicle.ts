import type { SimCheck } from './sim-checks.ts'
import type { Delivery } from './sim-channel.ts'
import type { Health, Target } from './target.ts'

export interface Span {
  from: number
  to: number
}

/** A result that a server refused for good, as the agent is told. */
export interface Refusal {
  attemptId: string | null
  reason: string
}

/** What happened besides what is in the database. Times are true ones: those of no host's clock. */
export interface Chronicle {
  checks: SimCheck[]
  /** Results acknowledged to an agent as stored. */
  acknowledged: Set<string>
  rejected: Refusal[]
  /** One-shots that were acknowledged to their caller. */
  requested: string[]
  /** Messages in the order they arrived. */
  inbox: Delivery[]
  /** The final health of each check's target. */
  endings: Map<string, Health>
  kills: number
  /** Times of commits whose answer was lost. */
  lostAnswers?: number[]
  startedAt: number
  endedAt: number
  /** Runs that started this shortly before the end may be unfinished. */
  unfinishedMs?: number
  /** Agents keep the schedule by themselves: they do not know what was changed while no server answered. */
  hasPlans?: boolean
  errors: string[]
  /** What was done to the simulation, for debugging. */
  events: string[]
  world?: WorldView
}

/** What the world knows and the product cannot. */
export interface WorldView {
  targets: Map<string, Target>
  /** No server could schedule, store or tell. */
  serverTroubles: Span[]
  /** By location: an agent there could not run or report. */
  agentTroubles: Map<string, Span[]>
  /** By location: no agent there could call. */
  unreachable: Map<string, Span[]>
  /** Troubles of the installation as servers saw them, by title. */
  troubles: Map<string, { key: string; code: string }>
  /** By check: it was changed, and what it does is settled after this. */
  changes: Map<string, Span[]>
  /** Wall times of servers that were left out, or passed twice. */
  leaps: Span[]
  /** The servers' clocks differ, or did. */
  clocksDiffer: boolean
  /** Locations without any agent. */
  deadLocations: Set<string>
  /** A receiver refused notifications for good. */
  brokenChannel: Span[]
  /** The check of each requested run. */
  requestedOf: Map<string, string>
  /** Checks to which another channel was subscribed. */
  subscribed: Set<string>
  /** The longest time of a run that is not silent, in milliseconds. */
  longestRunMs: number
  /** Checks whose target lets runs wait now and then. */
  silent: Set<string>
  /** By location: the least number of runs that an agent there holds at once. */
  slots: Map<string, number>
  /** True time of the end. */
  endedAt: number
  /** What nothing that was done to the world excuses. */
  unexcused: string[]
}
