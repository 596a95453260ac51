import type { App } from './http/build-http.ts'
import type { ApiDeps } from './resources/api-deps.ts'
import { accountRoutes, installationAccountRoutes } from './resources/accounts/index.ts'
import { alertChannelRoutes } from './resources/alert-channels/index.ts'
import { alertNotificationRoutes } from './resources/alert-notifications/index.ts'
import { apiKeyRoutes } from './resources/api-keys/index.ts'
import { auditLogRoutes } from './resources/audit-log/index.ts'
import { configurationFileRoutes } from './resources/configuration-files/index.ts'
import { coverageGapRoutes } from './resources/coverage-gaps/index.ts'
import { checkGroupRoutes } from './resources/check-groups/index.ts'
import { checkAlertRoutes } from './resources/check-alerts/index.ts'
import { checkEpisodeRoutes } from './resources/check-episodes/index.ts'
import { checkFactsRoutes } from './resources/check-facts/index.ts'
import { checkHistoryRoutes } from './resources/check-history/index.ts'
import { checkResultRoutes } from './resources/check-results/index.ts'
import { checkSessionRoutes } from './resources/check-sessions/index.ts'
import { checkStatusRoutes } from './resources/check-statuses/index.ts'
import { checkTriggerRoutes } from './resources/check-triggers/index.ts'
import { checkRoutes } from './resources/checks/index.ts'
import { heartbeatRoutes } from './resources/heartbeats/index.ts'
import { locationRoutes } from './resources/locations/index.ts'
import { privateLocationRoutes } from './resources/private-locations/index.ts'
import { runtimeRoutes } from './resources/runtimes/index.ts'
import { memberRoutes } from './resources/members/index.ts'
import { savedViewRoutes } from './resources/saved-views/index.ts'
import { staticIpRoutes } from './resources/static-ips/index.ts'
import { clientCertificateRoutes } from './resources/client-certificates/index.ts'
import { snippetRoutes } from './resources/snippets/index.ts'
import { variableRoutes } from './resources/variables/index.ts'

/** The resources of the management API. */
export function registerApi(app: App, deps: ApiDeps): void {
  checkRoutes(app, deps)
  checkAlertRoutes(app, deps)
  checkEpisodeRoutes(app, deps)
  checkFactsRoutes(app, deps)
  checkGroupRoutes(app, deps)
  checkHistoryRoutes(app, deps)
  checkResultRoutes(app, deps)
  checkSessionRoutes(app, deps)
  checkStatusRoutes(app, deps)
  heartbeatRoutes(app, deps)
  checkTriggerRoutes(app, deps)
  alertChannelRoutes(app, deps)
  alertNotificationRoutes(app, deps)
  coverageGapRoutes(app, deps)
  configurationFileRoutes(app, deps)
  locationRoutes(app)
  privateLocationRoutes(app, deps)
  runtimeRoutes(app)
  staticIpRoutes(app, deps)
  savedViewRoutes(app, deps)
  clientCertificateRoutes(app, deps)
  snippetRoutes(app, deps)
  variableRoutes(app, deps)
  accountRoutes(app, deps)
  installationAccountRoutes(app, deps)
  memberRoutes(app, deps)
  apiKeyRoutes(app, deps)
  auditLogRoutes(app, deps)
}
