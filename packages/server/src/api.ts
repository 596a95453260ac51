import type { App } from './http/build-http.ts'
import type { ApiDeps } from './resources/api-deps.ts'
import { accountRoutes, installationAccountRoutes } from './resources/accounts/index.ts'
import { alertChannelRoutes } from './resources/alert-channels/index.ts'
import { alertNotificationRoutes } from './resources/alert-notifications/index.ts'
import { apiKeyRoutes } from './resources/api-keys/index.ts'
import { auditLogRoutes } from './resources/audit-log/index.ts'
import { coverageGapRoutes } from './resources/coverage-gaps/index.ts'
import { checkEpisodeRoutes } from './resources/check-episodes/index.ts'
import { checkFactsRoutes } from './resources/check-facts/index.ts'
import { checkHistoryRoutes } from './resources/check-history/index.ts'
import { checkResultRoutes } from './resources/check-results/index.ts'
import { checkStatusRoutes } from './resources/check-statuses/index.ts'
import { checkRoutes } from './resources/checks/index.ts'
import { memberRoutes } from './resources/members/index.ts'
import { savedViewRoutes } from './resources/saved-views/index.ts'
import { variableRoutes } from './resources/variables/index.ts'

/** The resources of the management API. */
export function registerApi(app: App, deps: ApiDeps): void {
  checkRoutes(app, deps)
  checkEpisodeRoutes(app, deps)
  checkFactsRoutes(app, deps)
  checkHistoryRoutes(app, deps)
  checkResultRoutes(app, deps)
  checkStatusRoutes(app, deps)
  alertChannelRoutes(app, deps)
  alertNotificationRoutes(app, deps)
  coverageGapRoutes(app, deps)
  savedViewRoutes(app, deps)
  variableRoutes(app, deps)
  accountRoutes(app, deps)
  installationAccountRoutes(app, deps)
  memberRoutes(app, deps)
  apiKeyRoutes(app, deps)
  auditLogRoutes(app, deps)
}
