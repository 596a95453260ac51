import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { EgressPolicy } from '@vedette/checks'
import type { Clock, DeniedTarget } from '@vedette/wire'
import type { Logger } from 'pino'
import {
  CertificateWatch,
  channelKinds,
  createSender,
  Reminders,
  toldFile,
  type Outgoing,
  type Sender,
} from './alerting/index.ts'
import { AgentKeys, agentApiDeps, agentsOfPrivateLocations, locationLoads, type AgentApiDeps } from './agents/index.ts'
import { apiHooks } from './api-hooks.ts'
import { folderAssets, type AssetStore } from './assets/index.ts'
import { ChangeFeed } from './changes/change-feed.ts'
import { followChanges, type Followers } from './follow-changes.ts'
import { buildApp, type AppOptions } from './app.ts'
import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import { writer } from './access/write.ts'
import { authenticator } from './access/authenticator.ts'
import { connectHealth, type HealthOptions, type HealthParts } from './health/connect-health.ts'
import { checksOfUsers } from './health/canary/canary-check.ts'
import { diskSpaceOf } from './health/facts/disk-space.ts'
import { canaryChannel } from './health/canary/canary-channel.ts'
import { Ingest } from './ingest/index.ts'
import type { FirstAccount } from './installation/store.ts'
import { liveHub, type LiveHub } from './live/hub.ts'
import { publishCommitted } from './live/publish-committed.ts'
import { LocationSampler } from './locations/location-sampler.ts'
import { readLocationsById } from './locations/store.ts'
import { Housekeeping } from './operations/housekeeping.ts'
import { serverMetrics, type ServerMetrics } from './operations/metrics.ts'
import { privateLocationMetrics, type PrivateLocationMetrics } from './operations/private-location-metrics.ts'
import { PassiveChecks } from './passive/passive-checks.ts'
import { refreshNotRunnable } from './resources/checks/index.ts'
import { uptimeHours, type UptimeHours } from './resources/overview/index.ts'
import { sessionEnds, SessionTurns, waitingSessions, type SessionEnds } from './sessions/index.ts'
import { connectDispatch, type Dispatch } from './scheduling/dispatch.ts'
import type { SchedulingLog } from './scheduling/scheduling-log.ts'
import type { KeyedVault } from './secrets/vault.ts'

/** How long an agent has a run before it must renew the lease. */
const leaseMs = 30_000

/** What every part needs. */
export interface Foundation {
  config: Config
  log: Logger
  clock: Clock
  db: Database
  vault: KeyedVault
  account: FirstAccount
}

/** Values known only once the server listens. */
interface State {
  ready: boolean
  baseUrl: string
  denied: DeniedTarget[]
}

export type Parts = Awaited<ReturnType<typeof connectParts>>

/** Connects all parts: schedule and queue → ingest → live pages and sender, and the HTTP side. Nothing runs yet. */
export async function connectParts(foundation: Foundation) {
  const { config, log, clock, db, vault } = foundation
  const state: State = { ready: false, baseUrl: 'http://127.0.0.1', denied: [] }
  const baseUrl = () => state.baseUrl
  const hub = liveHub()
  const ingest = new Ingest({ db, clock, log })
  const passive = new PassiveChecks({ db, clock, vault, ingest, log: schedulingLog(log) })
  const keys = new AgentKeys({ db, clock })
  const { ends, turns, waiting } = sessionsOf(foundation, (ids) => dispatch.runsRequested(ids))
  const term = { leaseMs, holder: randomUUID(), passive, awaited: () => keys.awaited(), waiting }
  const dispatch = connectDispatch({ db, clock, ingest, log: schedulingLog(log), ...term })
  const privateLocations = privateLocationMetrics()
  const assets = folderAssets(config.assetsDir)
  const { leased: onLeased } = privateLocations
  const agents = agentsOf(foundation, { keys, work: dispatch.work, onLeased, state, assets, hub })
  const outgoing: Outgoing = {
    egress: () => policy(config.egress === 'trusted', state),
    settings: config.smtpUrl === undefined ? {} : { smtpUrl: config.smtpUrl },
  }
  const sender = senderOf(foundation, { outgoing, baseUrl, hub })
  const telling = { db, clock, log, onQueued: () => sender.wake() }
  const alerting = { sender, reminders: new Reminders(telling), certificates: new CertificateWatch(telling) }
  const own = healthOf(foundation, { dispatch, ingest, agents, sender, outgoing, baseUrl, hub, state })
  const health = () => own.health.latest()
  const metrics = metricsOf({ dispatch, hub, ingest, health, agents, privateLocations })
  const uptime = uptimeHours({ db, clock })
  announceResults(foundation, { ingest, sender, metrics, hub, uptime, ends, turns })
  const authenticate = authenticator(db, clock)
  const feed = feedOf(foundation, { schedule: dispatch, passive, sender, agents, authenticate, hub, sessionEnds: ends })
  const app = await buildApp({
    db,
    clock,
    vault,
    write: writer({ db, clock, log }),
    hub,
    uptime,
    outgoing,
    metrics,
    baseUrl,
    agentsSeen: () => (dispatch.isLeading() ? agentsOfPrivateLocations(agents) : undefined),
    hooks: apiHooks({ db, hub, schedule: dispatch, turns, keys, ...cachesOf(agents) }),
    authenticate,
    assets,
    agents,
    sessionEnds: ends,
    onEvent: (checkId) => passive.arrived(checkId),
    isReady: () => state.ready,
    ...own,
    health,
    logger: log,
    staticIps: config.staticIps,
    trustedProxies: config.trustedProxies,
    accountHeaders: config.accountHeaders,
    // The provider is the operator's own: it may be in a private network.
    oidc: config.oidc && { ...config.oidc, egress: () => policy(true, state) },
  })
  const background = backgroundOf(foundation, { dispatch, agents, assets })
  return { state, ingest, dispatch, turns, feed, agents, ...alerting, app, ...background, ...own }
}

function sessionsOf({ db, clock, log }: Foundation, runsRequested: Dispatch['runsRequested']) {
  const ends = sessionEnds(clock)
  const turns = new SessionTurns({ db, clock, log, ends, runsRequested })
  const waiting = waitingSessions(clock, (checkIds) => {
    ends.perhaps(checkIds)
    if (checkIds.length > 0) void turns.passOn()
  })
  return { ends, turns, waiting }
}

/** What works now and then, or once at the start. */
function backgroundOf(
  { db, clock, log }: Foundation,
  { dispatch, agents, assets }: { dispatch: Dispatch; agents: AgentApiDeps; assets: AssetStore },
) {
  const sampler = new LocationSampler({
    clock,
    log,
    isLeading: () => dispatch.isLeading(),
    write: (work) => dispatch.write(work),
    waiting: () => dispatch.waitingAt(),
    agents: () => agentsOfPrivateLocations(agents),
  })
  const refreshChecks = () => refreshNotRunnable({ db, clock })
  return { housekeeping: new Housekeeping({ db, clock, log, assets }), sampler, refreshChecks }
}

/** What this process keeps of accounts for their runs. */
const cachesOf = ({ jobs: { variables, certificates } }: AgentApiDeps) => ({ variables, certificates })

type Watched = Pick<HealthOptions, 'dispatch' | 'ingest' | 'agents' | 'sender' | 'outgoing' | 'baseUrl'>

const healthOf = (
  { db, clock, vault, log, config }: Foundation,
  { hub, state, ...watched }: Watched & { hub: LiveHub; state: State },
): HealthParts =>
  connectHealth({
    db,
    clock,
    vault,
    log,
    config,
    kinds: channelKinds,
    diskSpace: () => diskSpaceOf(config.dataDir),
    told: toldFile(join(config.dataDir, 'alerted-directly.json')),
    // The monitor is the operator's own: it may be in a private network.
    monitorEgress: () => policy(true, state),
    onChange: () => hub.publishToAll({ kind: 'health' }),
    ...watched,
  })

function feedOf(
  { db, clock, log }: Foundation,
  { agents, ...parts }: Omit<Followers, 'variables' | 'certificates' | 'keys'> & { agents: AgentApiDeps },
): ChangeFeed {
  const followers = { ...parts, ...cachesOf(agents), keys: agents.keys }
  return new ChangeFeed({ db, clock, log, apply: followChanges(followers) })
}

interface Listening {
  ingest: Ingest
  sender: Sender
  metrics: ServerMetrics
  hub: LiveHub
  uptime: UptimeHours
  ends: SessionEnds
  turns: SessionTurns
}

/** After a commit: the sender wakes, metrics count, kept uptimes are forgotten, and pages and callers that wait are notified. */
function announceResults(
  { db, clock, log }: Foundation,
  { ingest, sender, metrics, hub, uptime, ends, turns }: Listening,
): void {
  ingest.onCommitted((results) => {
    if (results.some((result) => result.notifications > 0)) sender.wake()
    metrics.committed(results, clock.now())
    uptime.forget(results)
    turns.committed(results)
    ends.perhaps(new Set(results.map(({ checkId }) => checkId)))
    publishCommitted(hub, results, (ids) => readLocationsById(db.pool, ids)).catch((error: unknown) =>
      log.error({ err: error }, 'Open pages were not notified of results.'),
    )
  })
}

interface GaugeParts extends Pick<AppOptions, 'health'> {
  dispatch: Dispatch
  hub: LiveHub
  ingest: Ingest
  agents: AgentApiDeps
  privateLocations: PrivateLocationMetrics
}

const metricsOf = ({ dispatch, hub, ingest, health, agents, privateLocations }: GaugeParts) =>
  serverMetrics({
    health,
    privateLocations,
    locationLoads: () => (dispatch.isLeading() ? locationLoads(dispatch, agents) : []),
    queue: () => dispatch.depth(),
    scheduledChecks: () => checksOfUsers(dispatch.condition().checks),
    openPages: () => hub.open(),
    leading: () => dispatch.isLeading(),
    notStorable: () => ingest.notStorable,
  })

const policy = (privateTargets: boolean, { denied }: State): EgressPolicy => ({ privateTargets, deniedTargets: denied })

const schedulingLog = (log: Logger): SchedulingLog => ({
  info: (text) => log.info(text),
  error: (details, text) => log.error(details, text),
})

interface AgentParts extends Pick<AgentApiDeps, 'keys' | 'work' | 'onLeased' | 'assets'> {
  state: State
  hub: LiveHub
}

function agentsOf({ config, log, clock, db, vault }: Foundation, { state, hub, ...parts }: AgentParts): AgentApiDeps {
  return agentApiDeps({
    db,
    clock,
    vault,
    ...parts,
    leaseMs,
    keepMs: (kind) => (kind === 'private' ? config.agentPlanMs : 0),
    log: schedulingLog(log),
    onAssets: ({ accountId, checkId, resultId }) => hub.publish(accountId, { kind: 'assets', checkId, resultId }),
    // A private location exists to reach its owner's network, whatever the rule for the shared ones.
    egress: (kind) => ({
      ...policy(config.egress === 'trusted' || kind === 'private', state),
      deniedTargets: state.denied,
    }),
  })
}

function senderOf(
  { log, clock, db, vault }: Foundation,
  { outgoing, baseUrl, hub }: { outgoing: Outgoing; baseUrl: () => string; hub: LiveHub },
): Sender {
  return createSender({
    db,
    clock,
    vault,
    log,
    baseUrl,
    kinds: [...channelKinds, canaryChannel],
    // The lock of the data directory keeps other processes out of an embedded database.
    alone: db.kind === 'embedded',
    ...outgoing,
    onSettled: ({ accountId, checkId, id, status }) =>
      hub.publish(accountId, { kind: 'notification', checkId, notificationId: id, status }),
  })
}
