import { Link, Navigate, Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { HealthBanner } from '../components/system/health-banner.tsx'
import { SystemHealth } from '../components/system/system-health.tsx'
import { LiveProvider } from '../live/live-provider.tsx'
import { useSession } from './session.ts'
import { ShortcutKeys } from './shortcut-keys.tsx'

const pages = [
  { to: '/', label: 'Checks' },
  { to: '/alerts', label: 'Alerts' },
  { to: '/channels', label: 'Channels' },
  { to: '/variables', label: 'Variables' },
  { to: '/settings', label: 'Settings' },
] as const

/** The frame of every page: navigation, and whether the shown data is current. */
export function Shell() {
  const session = useSession()
  useFocusOnArrival()
  if (session.isPending) return <p className="p-8 text-ink-soft">Opening Vedette…</p>
  if (session.isError && session.data === undefined) return <p className="p-8 text-fail">{session.error.message}</p>
  if (!session.data) return <Navigate to="/sign-in" search={{ to: location.pathname + location.search }} />
  return (
    <LiveProvider>
      <a href="#main" className="sr-only focus:not-sr-only focus:absolute focus:z-10 focus:bg-surface focus:p-3">
        Skip to content
      </a>
      <div className="mx-auto flex min-h-dvh max-w-[1440px] flex-col">
        <header className="flex flex-wrap items-center gap-x-6 gap-y-1 border-b border-line bg-surface px-4 md:px-8">
          <Link to="/" className="flex min-h-11 items-center gap-2 text-lg font-bold tracking-tight">
            <img src="/favicon.svg" alt="" className="size-6" />
            Vedette
          </Link>
          <nav
            aria-label="Main"
            className="order-3 -mx-1.5 flex w-full justify-between overflow-x-auto sm:justify-start md:order-none md:mx-0 md:w-auto"
          >
            {pages.map((page) => (
              <Link
                key={page.to}
                to={page.to}
                activeOptions={{ exact: page.to === '/' }}
                className="flex min-h-11 items-center px-1.5 text-sm text-ink-soft hover:text-ink sm:px-3 sm:text-base"
                activeProps={{
                  className: 'font-semibold !text-ink shadow-[inset_0_-3px_0_var(--accent)]',
                  'aria-current': 'page',
                }}
              >
                {page.label}
              </Link>
            ))}
          </nav>
          <div className="ml-auto">
            <SystemHealth />
          </div>
        </header>
        <HealthBanner />
        <main id="main" tabIndex={-1} className="flex-1 px-4 py-5 outline-none md:px-8">
          <Outlet />
        </main>
      </div>
      <ShortcutKeys />
    </LiveProvider>
  )
}

/** Moves the focus to the content of a new page. Otherwise it is lost with the link that was followed. */
function useFocusOnArrival() {
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  const shown = useRef(path)
  useEffect(() => {
    const isFirst = shown.current === undefined
    if (path === shown.current) return
    shown.current = path
    if (!isFirst && document.activeElement === document.body) document.getElementById('main')?.focus()
  }, [path])
}
