import { agentKeyRoutes, agentListRoutes, agentRoutes } from './agents/index.ts'
import type { AgentApiDeps } from './agents/agent-api-deps.ts'
import { registerApi } from './api.ts'
import { buildHttp, type App, type HttpOptions } from './http/build-http.ts'
import type { Canary } from './health/canary/canary.ts'
import { canaryRoutes } from './health/canary/routes.ts'
import type { HealthLook } from './health/health-watch.ts'
import { healthRoutes } from './health/routes.ts'
import type { SharedSignal } from './health/signal/shared-signal.ts'
import type { ApiDeps } from './resources/api-deps.ts'
import type { LiveHub } from './live/hub.ts'
import { liveRoutes } from './live/routes.ts'
import type { ServerMetrics } from './operations/metrics.ts'
import { operationRoutes } from './operations/routes.ts'
import { eventRoutes } from './passive/routes.ts'
import { overviewRoutes, type OverviewDeps } from './resources/overview/index.ts'
import type { OidcSettings } from './sign-in/oidc/provider.ts'
import { signInRoutes } from './sign-in/routes.ts'
import { signInStore } from './sign-in/store.ts'
import { serveWebApp, webAppPage } from './web-app.ts'

export interface AppOptions
  extends ApiDeps, OverviewDeps, Pick<HttpOptions, 'logger' | 'trustedProxies' | 'accountHeaders' | 'rateLimit'> {
  agents: AgentApiDeps
  hub: LiveHub
  metrics: ServerMetrics
  /** Called when an event of a passive check was stored. */
  onEvent: (checkId: string) => void
  isReady: () => boolean
  /** The last look at the installation's own health. */
  health: () => HealthLook | undefined
  /** What the server that leads last said of it. */
  signal: Pick<SharedSignal, 'leader' | 'host'>
  canary: Pick<Canary, 'run' | 'read'>
  /** Undefined when no identity provider is set. */
  oidc?: OidcSettings | undefined
}

/** The whole HTTP side: management API, agent protocol, web app, operations. It does not listen yet. */
export async function buildApp(options: AppOptions): Promise<App> {
  const { db, clock, agents, hub } = options
  const app = await buildHttp({ ...options, publicPrefixes: ['/assets'], fallback: webAppPage })
  registerApi(app, options)
  overviewRoutes(app, options)
  agentListRoutes(app, agents)
  agentKeyRoutes(app, { keys: agents.keys, write: options.write })
  await app.register((scope) => agentRoutes(scope as App, agents))
  await app.register((scope) => eventRoutes(scope as App, options))
  liveRoutes(app, { hub, clock })
  signInRoutes(app, { ...options, store: signInStore(db) })
  healthRoutes(app, options)
  canaryRoutes(app, options)
  operationRoutes(app, options)
  await serveWebApp(app)
  return app
}
