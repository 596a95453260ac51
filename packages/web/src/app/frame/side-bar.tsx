import { Link } from '@tanstack/react-router'
import { BookOpen, PanelLeftClose, PanelLeftOpen } from 'lucide-react'
import { toggleSideBar, useSideBar } from '../reader-choices.ts'
import { places } from './places.ts'

const itemLook =
  'flex h-9 items-center gap-2.5 rounded-md px-2.5 text-ink-soft transition-colors hover:bg-sunken hover:text-ink [&_svg]:size-[18px] [&_svg]:shrink-0'

/** Where the pages are, at the left of wide screens. It can be made slim. */
export function SideBar() {
  const isSlim = useSideBar() === 'slim'
  return (
    <div
      className={`sticky top-0 hidden h-dvh shrink-0 flex-col border-r border-line bg-surface p-2 md:flex ${isSlim ? 'w-14' : 'w-52'}`}
    >
      <Link to="/" className="flex h-10 items-center gap-2.5 rounded-md px-2 text-lg font-semibold tracking-tight">
        <img src="/favicon.svg" alt="" className="size-6 shrink-0" />
        <span className={isSlim ? 'sr-only' : undefined}>Vedette</span>
      </Link>
      <nav aria-label="Main" className="mt-3 flex flex-1 flex-col gap-0.5">
        {places.map(({ to, label, icon: Icon }) => (
          <Link
            key={to}
            {...(isSlim && { title: label })}
            to={to}
            activeOptions={{ exact: to === '/', includeSearch: false }}
            className={itemLook}
            activeProps={{ className: 'bg-accent-wash font-medium !text-accent', 'aria-current': 'page' }}
          >
            <Icon aria-hidden="true" />
            <span className={isSlim ? 'sr-only' : undefined}>{label}</span>
          </Link>
        ))}
        <a
          {...(isSlim && { title: 'API reference' })}
          href="/docs"
          target="_blank"
          rel="noreferrer"
          className={`${itemLook} mt-auto`}
        >
          <BookOpen aria-hidden="true" />
          <span className={isSlim ? 'sr-only' : undefined}>API reference</span>
        </a>
        <button
          title={isSlim ? 'Widen the side bar' : undefined}
          type="button"
          onClick={toggleSideBar}
          aria-expanded={!isSlim}
          className={itemLook}
        >
          {isSlim ? <PanelLeftOpen aria-hidden="true" /> : <PanelLeftClose aria-hidden="true" />}
          <span className={isSlim ? 'sr-only' : undefined}>{isSlim ? 'Widen the side bar' : 'Slim side bar'}</span>
        </button>
      </nav>
    </div>
  )
}
