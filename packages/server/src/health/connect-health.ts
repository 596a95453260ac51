import { hostname } from 'node:os'
import type { EgressPolicy } from '@vedette/checks'
import type { Clock } from '@vedette/wire'
import type { AgentApiDeps } from '../agents/index.ts'
import {
  DirectDelivery,
  SystemAlerts,
  type DeliveringKind,
  type Outgoing,
  type Sender,
  type ToldFile,
} from '../alerting/index.ts'
import type { Database } from '../db/database.ts'
import type { Ingest } from '../ingest/index.ts'
import type { Dispatch } from '../scheduling/dispatch.ts'
import { TermOver } from '../runs.ts'
import type { Vault } from '../vault.ts'
import { canaryAccount } from './canary/canary-check.ts'
import { canary, type Canary } from './canary/canary.ts'
import { FactCollector, type HealthSources } from './facts/collect-facts.ts'
import { UnknownRuns } from './facts/unknown-runs.ts'
import { DeadmanSwitch } from './deadman/deadman-switch.ts'
import { HealthWatch } from './health-watch.ts'
import { SharedSignal } from './signal/shared-signal.ts'
import { alertedAfterMs, overAfterMs } from './troubles/thresholds.ts'
import { within } from './within.ts'

export interface HealthOptions {
  db: Database
  clock: Clock
  vault: Vault
  log: { warn(details: object, text: string): void; error(details: object, text: string): void }
  config: { deadmanUrl: string | undefined; canary: boolean }
  /** Space where the data directory is. */
  diskSpace: HealthSources['diskSpace']
  /** Where what was alerted without the database is kept. */
  told: ToldFile
  dispatch: Dispatch
  ingest: Ingest
  agents: AgentApiDeps
  sender: Sender
  outgoing: Outgoing
  /** Channels that alerts can be sent over without the database. */
  kinds: readonly DeliveringKind[]
  /** Which targets the operator's own monitor may be at. */
  monitorEgress: () => EgressPolicy
  baseUrl: () => string
  onChange: () => void
}

/** What looks after the installation itself. Nothing runs yet. */
export interface HealthParts {
  health: HealthWatch
  canary: Canary
  /** undefined when no address is set. */
  deadman: DeadmanSwitch | undefined
  /** With the other servers on the database. */
  signal: SharedSignal
}

const limitMs = 10_000

export function connectHealth(options: HealthOptions): HealthParts {
  const { db, clock, log, config, agents, dispatch, monitorEgress } = options
  const locations = () => agents.keys.unclaimed()
  const bird = canary({ db, clock, isOn: config.canary, locations, schedule: dispatch })
  const url = config.deadmanUrl
  const look = () => health.latest()
  const deadman = url === undefined ? undefined : new DeadmanSwitch({ url, clock, log, look, egress: monitorEgress })
  const direct = directOf(options)
  const unknown = new UnknownRuns(clock, canaryAccount)
  options.ingest.onCommitted((results) => unknown.stored(results))
  const health = new HealthWatch({
    clock,
    log,
    collector: collectorOf(options, { canary: bird, deadman, unknown }),
    alerts: alertsOf(options, direct),
    prepare: () => within(clock, limitMs, 'Reading channels', direct.refresh()),
    onChange: options.onChange,
  })
  const signal = new SharedSignal({
    db,
    clock,
    log,
    host: hostname(),
    own: look,
    write: (work) => dispatch.write(work),
  })
  return { health, canary: bird, deadman, signal }
}

const directOf = ({ db, clock, vault, log, baseUrl, kinds, outgoing }: HealthOptions): DirectDelivery =>
  new DirectDelivery({ db, clock, vault, log, baseUrl, kinds, ...outgoing })

/** A disk that hangs holds up no alert. */
function boundedFile(file: ToldFile, clock: Clock): ToldFile {
  return {
    load: () => within(clock, limitMs, 'Reading what was alerted', file.load()),
    save: (told) => within(clock, limitMs, 'Keeping what is alerted', file.save(told)),
  }
}

const alertsOf = ({ db, clock, log, told, dispatch, sender }: HealthOptions, direct: DirectDelivery): SystemAlerts =>
  new SystemAlerts({
    db,
    clock,
    log,
    direct,
    told: boundedFile(told, clock),
    write: (work) => within(clock, limitMs, 'Storing an alert', dispatch.write(work)),
    within: (what, work) => within(clock, limitMs, what, work),
    lostTerm: (error) => error instanceof TermOver,
    alertedAfterMs,
    overAfterMs,
    onQueued: () => sender.wake(),
  })

const collectorOf = (
  { db, clock, diskSpace, dispatch, ingest, sender, agents }: HealthOptions,
  parts: Omit<HealthParts, 'health' | 'signal'> & { unknown: UnknownRuns },
): FactCollector =>
  new FactCollector({
    db,
    clock,
    diskSpace,
    schedule: () => dispatch.condition(),
    ingest: () => ingest.condition(),
    unknownRuns: () => parts.unknown.condition(),
    deliveredAt: () => sender.lookedAt(),
    agents,
    canary: () => parts.canary.condition(),
    canaryAccount,
    deadman: () => parts.deadman?.condition() ?? null,
  })
