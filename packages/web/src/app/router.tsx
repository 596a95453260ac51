import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from '@tanstack/react-router'
import { checkStates, type CheckState } from '@vedette/wire'
import { ChecksPage } from '../pages/checks-page.tsx'
import { NotFoundPage } from '../pages/not-found-page.tsx'
import { SignInPage } from '../pages/sign-in-page.tsx'
import { Shell } from './shell.tsx'

/** The filters of the list live in the address, so that every view can be linked. */
export interface ChecksSearch {
  search?: string
  tag?: string
  state?: CheckState
  page?: number
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage })

const signInRoute = createRoute({ getParentRoute: () => rootRoute, path: '/sign-in', component: SignInPage })
const shellRoute = createRoute({ getParentRoute: () => rootRoute, id: 'shell', component: Shell })

const checksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  component: ChecksPage,
  validateSearch: (search: Record<string, unknown>): ChecksSearch => {
    const state = checkStates.find((each) => each === search['state'])
    const page = Number(search['page'])
    return {
      ...(text(search['search']) && { search: String(search['search']) }),
      ...(text(search['tag']) && { tag: String(search['tag']) }),
      ...(state && { state }),
      ...(Number.isInteger(page) && page > 1 && { page }),
    }
  },
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
