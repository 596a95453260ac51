import { checkTypeOf } from '@vedette/checks'
import { memoryAssets } from '../../assets.ts'
import { writer } from '../../../src/access/write.ts'
import { authenticator } from '../../../src/access/authenticator.ts'
import { createSender, type DeliveringKind, type ToldFile } from '../../../src/alerting/index.ts'
import { AgentKeys, agentApiDeps } from '../../../src/agents/index.ts'
import { sessionEnds } from '../../../src/sessions/index.ts'
import { apiHooks } from '../../../src/api-hooks.ts'
import { ChangeFeed } from '../../../src/changes/change-feed.ts'
import type { Database } from '../../../src/db/database.ts'
import { followChanges } from '../../../src/follow-changes.ts'
import { connectHealth } from '../../../src/health/connect-health.ts'
import type { DiskSpace } from '../../../src/health/facts/disk-space.ts'
import type { HealthLook } from '../../../src/health/health-watch.ts'
import { Ingest } from '../../../src/ingest/index.ts'
import { liveHub } from '../../../src/live/hub.ts'
import { Housekeeping } from '../../../src/operations/housekeeping.ts'
import { PassiveChecks } from '../../../src/passive/passive-checks.ts'
import type { ApiDeps } from '../../../src/resources/api-deps.ts'
import { deleteCheck } from '../../../src/resources/checks/verbs/delete-check.ts'
import { updateCheck } from '../../../src/resources/checks/verbs/update-check.ts'
import { connectDispatch, type Dispatch } from '../../../src/scheduling/dispatch.ts'
import { waitingSessions } from '../../../src/sessions/index.ts'
import { testVault } from '../../vault.ts'
import { Life, mortalClock, mortalDatabase, type Traffic } from '../mortal.ts'
import { simulatedLeaseMs, type AgentRoutes } from './agent-routes.ts'
import { silenceableDatabase, type DatabaseFaults } from './fallible-database.ts'
import type { HostClock } from './host-clock.ts'
import type { Clock } from '@vedette/wire'

/** One life of a server: the real modules, with a database and a clock that may end at any call. */
export interface SimulatedServer {
  life: Life
  dispatch: Dispatch
  change(accountId: string, checkId: string, sent: Record<string, unknown>): Promise<void>
  remove(accountId: string, checkId: string): Promise<void>
  /** What it last knew of the installation's health. */
  look(): HealthLook | undefined
  stop(): Promise<void>
}

/** What is warned of, and what failed, with its details. */
export interface SimulatedLog {
  info(text: string): void
  warn(details: object, text: string): void
  error(details: object, text: string): void
}

export interface SimulatedServerOptions {
  db: Database
  faults: DatabaseFaults
  clock: HostClock
  traffic: Traffic
  /** Its name in the leadership row. */
  holder: string
  routes: AgentRoutes
  /** Makes the channel of notifications, on the clock of this life. */
  channel: (clock: Clock) => DeliveringKind
  /** Space on the disk of the host. */
  diskSpace: () => Promise<DiskSpace>
  told: ToldFile
  /** How long agents keep the schedule while no server answers. */
  planKeptMs: number
  log: SimulatedLog
}

export function startServer(given: SimulatedServerOptions): SimulatedServer {
  const { routes, traffic, holder, log, planKeptMs, ...options } = given
  const life = new Life()
  const clock = mortalClock(options.clock, life)
  const db = silenceableDatabase(mortalDatabase(options.db, life, traffic), clock, options.faults)
  const vault = testVault
  const ingest = new Ingest({ db, clock, log })
  const egress = () => ({ privateTargets: true, deniedTargets: [] })
  const passive = new PassiveChecks({ db, clock, vault, ingest, log })
  const keys = new AgentKeys({ db, clock })
  const awaited = () => keys.awaited()
  const dispatch = connectDispatch({
    db,
    clock,
    ingest,
    leaseMs: simulatedLeaseMs,
    holder,
    log,
    passive,
    awaited,
    waiting: waitingSessions(clock, () => undefined),
  })
  const assets = memoryAssets()
  const agents = agentApiDeps({
    db,
    clock,
    vault,
    keys,
    work: dispatch.work,
    leaseMs: simulatedLeaseMs,
    keepMs: () => planKeptMs,
    assets,
    onAssets: () => undefined,
    egress,
    log,
  })
  const kinds = [options.channel(clock)]
  const baseUrl = () => 'http://simulated'
  const alone = db.kind === 'embedded'
  const sender = createSender({ db, clock, vault, egress, kinds, log, settings: {}, baseUrl, alone })
  const { health } = connectHealth({
    db,
    clock,
    vault,
    log,
    config: { deadmanUrl: undefined, canary: false },
    diskSpace: options.diskSpace,
    told: options.told,
    dispatch,
    ingest,
    agents,
    sender,
    kinds,
    baseUrl,
    outgoing: { egress, settings: {} },
    monitorEgress: egress,
    onChange: () => undefined,
  })
  ingest.onCommitted((results) => {
    if (results.some(({ notifications }) => notifications > 0)) sender.wake()
  })
  routes.serve(agents)
  const { variables, certificates } = agents.jobs
  const parts = { schedule: dispatch, variables, certificates, keys, hub: liveHub(), sessionEnds: sessionEnds(clock) }
  const hooks = apiHooks({ db, ...parts, turns: { passOn: () => Promise.resolve() } })
  const authenticate = authenticator(db, clock)
  const feed = new ChangeFeed({
    db,
    clock,
    log,
    apply: followChanges({ ...parts, passive, sender, authenticate }),
  })
  const housekeeping = new Housekeeping({ db, clock, assets, log: { ...log, info: (_, text) => log.info(text) } })
  sender.start()
  housekeeping
    .start()
    .then(() => feed.start())
    .then(() => dispatch.start())
    .then(() => health.start())
    .catch((error: unknown) => {
      log.error({ err: error }, 'The simulated server did not start.')
      life.die()
    })
  const api: ApiDeps = {
    db,
    clock,
    vault,
    write: writer({ db, clock, log }),
    hooks,
    authenticate,
    agentsSeen: () => undefined,
    staticIps: [],
    assets,
    sessionEnds: parts.sessionEnds,
    baseUrl,
  }
  const ctx = (accountId: string) => ({ accountId, actor: 'simulator', requestId: 'simulated' })
  const type = checkTypeOf('API')
  return {
    life,
    dispatch,
    async change(accountId, id, sent) {
      if (type !== undefined) await updateCheck(api)(ctx(accountId), { type, id, sent, autoAssignAlerts: undefined })
    },
    remove: (accountId, checkId) => deleteCheck(api)(ctx(accountId), checkId),
    look: () => health.latest(),
    async stop() {
      await health.stop()
      await housekeeping.stop()
      await feed.stop()
      await dispatch.stop()
      await ingest.stop()
      await sender.stop()
    },
  }
}
