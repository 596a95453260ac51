import { systemClock } from '@vedette/wire'
import type { AgentApiDeps } from '../src/agents/agent-api-deps.ts'
import { AgentKeys } from '../src/agents/keys/agent-keys.ts'
import { Presence } from '../src/agents/presence.ts'
import { ownAgentCalls } from '../src/agents/keys/own-agent-calls.ts'
import { buildApp, type AppOptions } from '../src/app.ts'
import type { Database } from '../src/db/database.ts'
import type { App } from '../src/http/build-http.ts'
import { liveHub } from '../src/live/hub.ts'
import { serverMetrics } from '../src/operations/metrics.ts'
import { privateLocationMetrics } from '../src/operations/private-location-metrics.ts'
import { uptimeHours } from '../src/resources/overview/index.ts'
import { apiDeps } from './api.ts'
import { compareAnswers } from './documented-answers.ts'

/** Every route of the server on the database. Nothing runs behind them. */
export async function givenWholeApp(
  db: Database,
  options: Partial<AppOptions> = {},
): Promise<App & { agentKeys: AgentKeys }> {
  const agentKeys = new AgentKeys({ db, clock: systemClock })
  const agents = {
    clock: systemClock,
    keys: agentKeys,
    presence: new Presence(systemClock),
    isLeading: () => true,
    ownAgent: ownAgentCalls(systemClock),
  } as unknown as AgentApiDeps
  const app = await buildApp({
    ...apiDeps(db),
    agents,
    hub: liveHub(),
    uptime: uptimeHours({ db, clock: systemClock }),
    onEvent: () => undefined,
    isReady: () => true,
    health: () => undefined,
    signal: { leader: () => undefined, host: 'this-host' },
    canary: { run: () => Promise.resolve(undefined), read: () => Promise.reject(new Error('There is none.')) },
    metrics: serverMetrics({
      health: () => undefined,
      queue: () => ({ waiting: 0, leased: 0 }),
      scheduledChecks: () => 0,
      openPages: () => 0,
      leading: () => true,
      notStorable: () => ({ unknown: 0, refused: 0 }),
      privateLocations: privateLocationMetrics(),
      locationLoads: () => [],
    }),
    ...options,
  })
  compareAnswers(app)
  await app.ready()
  return Object.assign(app, { agentKeys })
}
