import type { Trouble } from './target.ts'

/** Everything that is decided before a simulation begins: its world, and what happens to it when. */
export interface Script {
  /** Seeds all chances that are not in the script: delays of the network, durations of runs. */
  seed: number
  /** Names of the servers on the one database. */
  servers: readonly string[]
  agents: readonly AgentPlan[]
  checks: readonly CheckPlan[]
  blows: readonly TimedBlow[]
  /** After this many minutes everything heals, and the simulation ends when nothing is left to do. */
  minutes: number
  /** Longest time from then until everything is at rest. */
  restMs?: number
  /** Runs that started this shortly before the end may be unfinished. */
  unfinishedMs?: number
  /** How long agents keep the schedule while no server answers; absent: not at all. */
  planKeptMs?: number
  /** Messages are lost and doubled and runs take their time, until everything heals. */
  unreliable: boolean
}

export interface AgentPlan {
  name: string
  location: string
  /** Runs at once; null leaves it to the agent. */
  slots: number | null
  /** Difference of its wall clock from the true time. */
  aheadMs?: number
}

export interface CheckPlan {
  id: string
  /** The body of its creation, without what all checks have. */
  sent: Record<string, unknown>
  troubles: readonly Trouble[]
  /** Numbers of the checks that it depends on. */
  parents?: readonly number[]
}

/** What goes wrong, or what a user does. */
export type Blow =
  | { kind: 'kill'; server: string; afterCalls: number; forMs: number }
  | { kind: 'pause'; server: string; afterCalls: number; forMs: number }
  | { kind: 'lose answers'; server: string; count: number }
  | { kind: 'refuse commits'; forMs: number }
  /** Its connections stay open and nothing is answered. */
  | { kind: 'silence database'; forMs: number }
  | { kind: 'set clock of server'; server: string; byMs: number }
  | { kind: 'crash'; agent: string; forMs: number }
  | { kind: 'pause agent'; agent: string; forMs: number }
  | { kind: 'cut off'; agent: string; forMs: number; silently: boolean }
  | { kind: 'fill disk'; agent: string; forMs: number }
  /** Its runs do not end any more. */
  | { kind: 'wedge'; agent: string; forMs: number }
  /** Its host has no network but the one to the servers. */
  | { kind: 'unplug'; agent: string; forMs: number }
  | { kind: 'set clock of agent'; agent: string; byMs: number }
  | { kind: 'change'; check: number; sent: Record<string, unknown>; through?: string }
  | { kind: 'delete'; check: number; through?: string }
  | { kind: 'request run'; check: number; through?: string }
  /** Another channel is subscribed to the check. */
  | { kind: 'subscribe'; check: number }
  /** The receiver of notifications refuses them for good. */
  | { kind: 'break channel'; forMs: number }

export interface TimedBlow {
  atMs: number
  blow: Blow
}

/** The sentence of a blow for people. */
export const describeBlow = ({ kind, ...details }: Blow): string => `${kind} ${JSON.stringify(details)}`
