import { Link, useNavigate } from '@tanstack/react-router'
import { BookOpen, Ellipsis } from 'lucide-react'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { places } from './places.ts'

const shown = places.slice(0, 4)
const others = places.slice(4)

const itemLook = 'flex h-14 flex-1 flex-col items-center justify-center gap-0.5 text-xs text-ink-soft [&_svg]:size-5'

/** Where the pages are, at the bottom of phones. */
export function BottomBar() {
  const navigate = useNavigate()
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
      <Menu
        side="top"
        trigger={
          <button type="button" className={itemLook}>
            <Ellipsis aria-hidden="true" />
            More
          </button>
        }
      >
        {others.map(({ to, label, icon: Icon }) => (
          <MenuItem key={to} icon={<Icon aria-hidden="true" />} onSelect={() => void navigate({ to })}>
            {label}
          </MenuItem>
        ))}
        <MenuItem icon={<BookOpen aria-hidden="true" />} onSelect={() => window.open('/docs', '_blank', 'noreferrer')}>
          API reference
        </MenuItem>
      </Menu>
    </nav>
  )
}
