import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from '@tanstack/react-router'
import { PageOnItsWay } from '../components/system/part-on-its-way.tsx'
import { ChecksPage } from '../pages/checks-page.tsx'
import { NotFoundPage } from '../pages/not-found-page.tsx'
import { SignInPage } from '../pages/sign-in-page.tsx'
import { readAlertsSearch } from './alerts-search.ts'
import { readCheckSearch } from './check-search.ts'
import { readChecksSearch } from './checks-search.ts'
import { patient } from './patient.ts'
import { PageFault } from './page-fault.tsx'
import { readFrameAhead, readListAhead } from './read-ahead.ts'
import { Shell } from './shell.tsx'

const rootRoute = createRootRoute({ component: Outlet })

const signInRoute = createRoute({ getParentRoute: () => rootRoute, path: '/sign-in', component: SignInPage })
const joinRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/join',
  component: lazyRouteComponent(
    patient(() => import('../pages/join-page.tsx')),
    'JoinPage',
  ),
})
// Outside the frame: the reference is open to all, as the document it shows is.
const referenceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/docs',
  component: lazyRouteComponent(
    patient(() => import('../pages/reference-page.tsx')),
    'ReferencePage',
  ),
})
const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  component: Shell,
  loader: readFrameAhead,
})

const checksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  component: ChecksPage,
  validateSearch: readChecksSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => readListAhead(deps),
})

const page = <P extends string>(path: P, load: () => Promise<Record<string, unknown>>, name: string) =>
  createRoute({ getParentRoute: () => shellRoute, path, component: lazyRouteComponent(patient(load), name) })

const editor = patient(() => import('../pages/check-editor-page.tsx'))
const newCheckRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/checks/new/$path',
  component: lazyRouteComponent(editor, 'NewCheckPage'),
  validateSearch: (search: Record<string, unknown>): { clone?: string } =>
    typeof search['clone'] === 'string' ? { clone: search['clone'] } : {},
})
const editCheckRoute = page('/checks/$checkId/edit', editor, 'EditCheckPage')
const checkRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/checks/$checkId',
  component: lazyRouteComponent(
    patient(() => import('../pages/check-page.tsx')),
    'CheckPage',
  ),
  validateSearch: readCheckSearch,
})
const resultRoute = page('/checks/$checkId/results/$resultId', () => import('../pages/result-page.tsx'), 'ResultPage')
const groupsRoute = page('/groups', () => import('../pages/groups-page.tsx'), 'GroupsPage')
const groupRoute = page('/groups/$groupId', () => import('../pages/group-page.tsx'), 'GroupPage')
const groupRunRoute = page(
  '/groups/$groupId/runs/$startedAt',
  () => import('../pages/group-run-page.tsx'),
  'GroupRunPage',
)
const channelsRoute = page('/channels', () => import('../pages/channels-page.tsx'), 'ChannelsPage')
const alertsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/alerts',
  component: lazyRouteComponent(
    patient(() => import('../pages/alerts-page.tsx')),
    'AlertsPage',
  ),
  validateSearch: readAlertsSearch,
})
const variablesRoute = page('/variables', () => import('../pages/variables-page.tsx'), 'VariablesPage')
const snippetsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/snippets',
  component: lazyRouteComponent(
    patient(() => import('../pages/snippets-page.tsx')),
    'SnippetsPage',
  ),
  validateSearch: ({ edit }: Record<string, unknown>): { edit?: number } =>
    typeof edit === 'number' && Number.isSafeInteger(edit) ? { edit } : {},
})
const certificatesRoute = page('/certificates', () => import('../pages/certificates-page.tsx'), 'CertificatesPage')
const locationsRoute = page('/locations', () => import('../pages/locations-page.tsx'), 'LocationsPage')
const privateLocationRoute = page(
  '/locations/$locationId',
  () => import('../pages/private-location-page.tsx'),
  'PrivateLocationPage',
)
const sessionsRoute = page('/sessions', () => import('../pages/sessions-page.tsx'), 'SessionsPage')
const sessionRoute = page('/sessions/$sessionId', () => import('../pages/session-page.tsx'), 'SessionPage')
const membersRoute = page('/settings/members', () => import('../pages/members-page.tsx'), 'MembersPage')
const keysRoute = page('/settings/keys', () => import('../pages/keys-page.tsx'), 'KeysPage')
const accountsRoute = page('/settings/accounts', () => import('../pages/accounts-page.tsx'), 'AccountsPage')
const auditLogRoute = page('/settings/audit-log', () => import('../pages/audit-log-page.tsx'), 'AuditLogPage')
const filesRoute = page('/settings/files', () => import('../pages/files-page.tsx'), 'FilesPage')
const settingsRoute = page('/settings', () => import('../pages/settings-page.tsx'), 'SettingsPage')

const nowhereRoute = createRoute({ getParentRoute: () => shellRoute, path: '$', component: NotFoundPage })

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    signInRoute,
    joinRoute,
    referenceRoute,
    shellRoute.addChildren([
      checksRoute,
      newCheckRoute,
      editCheckRoute,
      checkRoute,
      resultRoute,
      groupsRoute,
      groupRoute,
      groupRunRoute,
      channelsRoute,
      alertsRoute,
      variablesRoute,
      snippetsRoute,
      certificatesRoute,
      locationsRoute,
      privateLocationRoute,
      sessionsRoute,
      sessionRoute,
      settingsRoute,
      membersRoute,
      keysRoute,
      accountsRoute,
      auditLogRoute,
      filesRoute,
      nowhereRoute,
    ]),
  ]),
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultErrorComponent: PageFault,
  defaultPendingComponent: PageOnItsWay,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
