import { Link, useLocation } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import { Suspense } from 'react'
import { lazyPart } from '../lazy-part.ts'
import { places } from './places.ts'

const MoreMenu = lazyPart('after', async () => (await import('./more-menu.tsx')).MoreMenu)

const shown = places.slice(0, 4)
const others = places.slice(4)

const itemLook = 'flex h-14 flex-1 flex-col items-center justify-center gap-0.5 text-xs text-ink-soft [&_svg]:size-5'

/** Where the pages are, at the bottom of phones. */
export function BottomBar() {
  const { pathname } = useLocation()
  const isAtOther = others.some(({ to }) => pathname.startsWith(to))
  const moreLook = `${itemLook} ${isAtOther ? 'font-medium !text-accent' : ''}`
  const moreContent = (
    <>
      <Ellipsis aria-hidden="true" />
      More
    </>
  )
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-10 flex border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {shown.map(({ to, label, icon: Icon }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: to === '/', includeSearch: false }}
          className={itemLook}
          activeProps={{ className: 'font-medium !text-accent', 'aria-current': 'page' }}
        >
          <Icon aria-hidden="true" />
          {label}
        </Link>
      ))}
      <Suspense fallback={<span className={moreLook}>{moreContent}</span>}>
        <MoreMenu
          places={others}
          trigger={
            <button type="button" className={moreLook}>
              {moreContent}
            </button>
          }
        />
      </Suspense>
    </nav>
  )
}
