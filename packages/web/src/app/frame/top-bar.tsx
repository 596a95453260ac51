import { Link } from '@tanstack/react-router'
import type { Profile } from '@vedette/wire'
import { CircleUserRound, Search } from 'lucide-react'
import { Suspense } from 'react'
import { iconButtonLook } from '../../ui/icon-button-look.ts'
import { usePagePlace } from '../page-place.ts'
import { lazyPart } from '../lazy-part.ts'
import { HealthSignal } from './health-signal.tsx'

const AccountMenu = lazyPart('after', async () => (await import('./account-menu.tsx')).AccountMenu)

interface Props {
  profile: Profile
  onSearch: () => void
}

/** The line at the top of every page: where one is, the way to anything else, and whether what is shown is current. */
export function TopBar({ profile, onSearch }: Props) {
  return (
    <header className="sticky top-0 z-10 flex h-12 items-center gap-2 border-b border-line bg-surface px-3 max-md:h-14 md:px-6">
      <Link to="/" aria-label="Vedette: all checks" className="flex size-control items-center justify-center md:hidden">
        <img src="/favicon.svg" alt="" className="size-7" />
      </Link>
      <Crumbs />
      <button
        type="button"
        onClick={onSearch}
        aria-keyshortcuts="Control+K Meta+K"
        className="ml-auto flex h-control items-center gap-2 rounded-md border border-line bg-page px-2.5 text-ink-soft hover:border-line-strong hover:text-ink"
      >
        <Search aria-hidden="true" className="size-4" />
        <span className="hidden lg:inline">Go to a check, a page, an action</span>
        <span className="sr-only lg:hidden">Go to</span>
        <kbd className="hidden rounded border border-line bg-surface px-1 font-sans text-xs md:inline">
          {/Mac/.test(navigator.platform) ? '⌘K' : 'Ctrl K'}
        </kbd>
      </button>
      <HealthSignal />
      <Suspense fallback={<AccountIcon />}>
        <AccountMenu profile={profile} />
      </Suspense>
    </header>
  )
}

/** Keeps the place of the menu while it loads. */
function AccountIcon() {
  return (
    <span className={iconButtonLook}>
      <CircleUserRound aria-hidden="true" className="size-5" />
    </span>
  )
}

function Crumbs() {
  const { crumbs } = usePagePlace()
  return (
    <nav aria-label="Breadcrumb" className="min-w-0 max-md:hidden">
      <ol className="flex min-w-0 items-center gap-1.5">
        {crumbs.map(({ label, to }, at) => (
          <li key={label} className="flex min-w-0 items-center gap-1.5">
            {at > 0 && (
              <span aria-hidden="true" className="text-ink-soft">
                /
              </span>
            )}
            {to === undefined ? (
              <span aria-current="page" className="max-w-80 truncate font-medium">
                {label}
              </span>
            ) : (
              <Link to={to} className="max-w-60 truncate text-ink-soft hover:text-ink hover:underline">
                {label}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
