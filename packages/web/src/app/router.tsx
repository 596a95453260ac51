import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from '@tanstack/react-router'
import { ChecksPage } from '../pages/checks-page.tsx'
import { NotFoundPage } from '../pages/not-found-page.tsx'
import { SignInPage } from '../pages/sign-in-page.tsx'
import { readChecksSearch } from './checks-search.ts'
import { Shell } from './shell.tsx'

const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage })

const signInRoute = createRoute({ getParentRoute: () => rootRoute, path: '/sign-in', component: SignInPage })
const shellRoute = createRoute({ getParentRoute: () => rootRoute, id: 'shell', component: Shell })

const checksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  component: ChecksPage,
  validateSearch: readChecksSearch,
})

const page = <P extends string>(path: P, load: () => Promise<Record<string, unknown>>, name: string) =>
  createRoute({ getParentRoute: () => shellRoute, path, component: lazyRouteComponent(load, name) })

const newCheckRoute = page('/checks/new/$path', () => import('../pages/check-editor-page.tsx'), 'NewCheckPage')
const editCheckRoute = page('/checks/$checkId/edit', () => import('../pages/check-editor-page.tsx'), 'EditCheckPage')
const checkRoute = page('/checks/$checkId', () => import('../pages/check-page.tsx'), 'CheckPage')
const resultRoute = page('/checks/$checkId/results/$resultId', () => import('../pages/result-page.tsx'), 'ResultPage')
const channelsRoute = page('/channels', () => import('../pages/channels-page.tsx'), 'ChannelsPage')
const alertsRoute = page('/alerts', () => import('../pages/alerts-page.tsx'), 'AlertsPage')
const variablesRoute = page('/variables', () => import('../pages/variables-page.tsx'), 'VariablesPage')
const settingsRoute = page('/settings', () => import('../pages/settings-page.tsx'), 'SettingsPage')

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    signInRoute,
    shellRoute.addChildren([
      checksRoute,
      newCheckRoute,
      editCheckRoute,
      checkRoute,
      resultRoute,
      channelsRoute,
      alertsRoute,
      variablesRoute,
      settingsRoute,
    ]),
  ]),
  defaultPreload: 'intent',
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
