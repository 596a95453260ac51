import type { AgentApiDeps } from '../packages/server/src/agents/agent-api-deps.ts'
import { systemClock } from '@vedette/wire'
import { writer } from '../packages/server/src/access/write.ts'
import { buildApp } from '../packages/server/src/app.ts'
import type { Database } from '../packages/server/src/db/database.ts'
import { sessionEnds } from '../packages/server/src/sessions/index.ts'
import { authenticator } from '../packages/server/src/access/authenticator.ts'
import { folderAssets } from '../packages/server/src/assets/index.ts'
import { liveHub } from '../packages/server/src/live/hub.ts'
import { serverMetrics } from '../packages/server/src/operations/metrics.ts'
import { privateLocationMetrics } from '../packages/server/src/operations/private-location-metrics.ts'
import { openVault } from '../packages/server/src/secrets/vault.ts'

// Prints the OpenAPI document of the registered routes. No database is opened and no route is called.
const db = {} as Database
const app = await buildApp({
  db,
  clock: systemClock,
  vault: openVault({ current: Buffer.alloc(32) }),
  write: writer({ db, clock: systemClock, log: { error: () => undefined } }),
  hub: liveHub(),
  uptime: { of: () => Promise.resolve([]) },
  metrics: serverMetrics({
    health: () => undefined,
    queue: () => ({ waiting: 0, leased: 0 }),
    scheduledChecks: () => 0,
    openPages: () => 0,
    leading: () => false,
    notStorable: () => ({ unknown: 0, refused: 0 }),
    privateLocations: privateLocationMetrics(),
    locationLoads: () => [],
  }),
  baseUrl: () => 'http://127.0.0.1:8080',
  hooks: {
    checkChanged: () => undefined,
    checksChanged: () => undefined,
    acknowledged: () => undefined,
    manyChanged: () => undefined,
    locationsChanged: () => undefined,
    variablesChanged: () => undefined,
    certificatesChanged: () => undefined,
    runsRequested: () => undefined,
    sessionsCancelled: () => undefined,
    dryRun: () => Promise.resolve(undefined),
  },
  sessionEnds: sessionEnds(systemClock),
  authenticate: authenticator(db),
  agentsSeen: () => undefined,
  staticIps: [],
  assets: folderAssets(''),
  agents: { keys: {}, presence: {} } as AgentApiDeps,
  onEvent: () => undefined,
  isReady: () => false,
  health: () => undefined,
  signal: { leader: () => undefined, host: '' },
  canary: { run: () => Promise.resolve(undefined), read: () => Promise.reject(new Error('There is none.')) },
})
await app.ready()
// A pipe takes it in parts: leaving before the last one is out would cut the document off.
process.stdout.write(`${JSON.stringify(app.swagger(), null, 2)}\n`, () => process.exit(0))
