import { Navigate, Outlet, useRouterState } from '@tanstack/react-router'
import type { Profile } from '@vedette/wire'
import { Suspense, useEffect, useRef, useState } from 'react'
import { PartOnItsWay } from '../components/system/part-on-its-way.tsx'
import { LiveProvider } from '../live/live-provider.tsx'
import { useKeptFocus } from '../ui/hooks/kept-focus.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { BottomBar } from './frame/bottom-bar.tsx'
import { SideBar } from './frame/side-bar.tsx'
import { TopBar } from './frame/top-bar.tsx'
import { useWorstStateOnTab } from './frame/worst-state.ts'
import { lazyPart } from './lazy-part.ts'
import { useSession } from './session.ts'
import { ShortcutKeys } from './shortcut-keys.tsx'

// Menus and dialogs come after the first page: they are not needed to read it.
const SignInAgain = lazyPart('asked', async () => (await import('./frame/sign-in-again.tsx')).SignInAgain)
const SuspendedNotice = lazyPart('after', async () => (await import('./frame/suspended-notice.tsx')).SuspendedNotice)
const CommandPalette = lazyPart('asked', async () => (await import('./frame/command-palette.tsx')).CommandPalette)

/** The frame of every page. A session that ends while a page is open is renewed in a dialog: nothing that was typed is lost. */
export function Shell() {
  const session = useSession()
  const known = useRef<Profile>(undefined)
  if (session.data) known.current = session.data
  if (known.current === undefined) {
    if (session.isPending) return <Skeleton label="Opening Vedette" className="m-8 max-w-md" />
    if (session.isError)
      return (
        <p role="alert" className="p-8 text-fail">
          {session.error.message} This page tries again by itself.
        </p>
      )
    return <Navigate to="/sign-in" search={{ to: location.pathname + location.search }} />
  }
  if (known.current.isSuspended)
    return (
      <Suspense fallback={<PartOnItsWay />}>
        <SuspendedNotice profile={known.current} />
      </Suspense>
    )
  return (
    <LiveProvider>
      <Frame profile={known.current} />
      {session.data === null && (
        <Suspense fallback={<PartOnItsWay />}>
          <SignInAgain email={known.current.email} />
        </Suspense>
      )}
    </LiveProvider>
  )
}

function Frame({ profile }: { profile: Profile }) {
  const [isSearching, setSearching] = useState(false)
  useFocusOnArrival()
  useKeptFocus('main')
  useWorstStateOnTab()
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return
      event.preventDefault()
      setSearching(true)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <a href="#main" className="sr-only focus:not-sr-only focus:absolute focus:z-30 focus:bg-surface focus:p-3">
        Skip to content
      </a>
      <div className="flex min-h-dvh">
        <SideBar />
        <div className="flex min-w-0 flex-1 flex-col">
          <TopBar profile={profile} onSearch={() => setSearching(true)} />
          <main id="main" tabIndex={-1} className="flex-1 px-4 pt-4 pb-(--end-room) outline-none md:px-6">
            <Outlet />
          </main>
        </div>
      </div>
      <BottomBar />
      <ShortcutKeys />
      {isSearching && (
        <Suspense fallback={<PartOnItsWay />}>
          <CommandPalette onClose={() => setSearching(false)} />
        </Suspense>
      )}
    </>
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
