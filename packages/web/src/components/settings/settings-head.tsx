import { Link } from '@tanstack/react-router'
import type { Profile } from '@vedette/wire'
import { PagePlaceOf } from '../../app/page-place.ts'
import { useSession } from '../../app/session.ts'

interface Part {
  to:
    | '/settings'
    | '/settings/members'
    | '/settings/keys'
    | '/settings/accounts'
    | '/settings/files'
    | '/settings/audit-log'
  label: string
  isFor: (profile: Profile) => boolean
}

const isAdmin = ({ role }: Profile) => role === 'admin'

const parts: readonly Part[] = [
  { to: '/settings', label: 'You', isFor: () => true },
  { to: '/settings/members', label: 'Members', isFor: () => true },
  { to: '/settings/keys', label: 'API keys', isFor: isAdmin },
  { to: '/settings/files', label: 'Files', isFor: () => true },
  { to: '/settings/audit-log', label: 'Audit log', isFor: isAdmin },
  { to: '/settings/accounts', label: 'Accounts', isFor: ({ isOperator }) => isOperator },
]

/** The title of the settings, and the way between their pages. */
export function SettingsHead({ page }: { page: string }) {
  const { data: profile } = useSession()
  return (
    <>
      <PagePlaceOf title={page === 'You' ? 'Settings' : `${page} · Settings`} />
      <h1 className="text-xl font-semibold tracking-tight">Settings</h1>
      <nav aria-label="Settings" className="mb-4 overflow-x-auto border-b border-line">
        <ul className="flex gap-1">
          {parts
            .filter(({ isFor }) => profile && isFor(profile))
            .map(({ to, label }) => (
              <li key={to}>
                <Link
                  to={to}
                  activeOptions={{ exact: true }}
                  className="-mb-px flex h-control shrink-0 items-center border-b-2 border-transparent px-2.5 whitespace-nowrap text-ink-soft outline-offset-[-2px] hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink"
                >
                  {label}
                </Link>
              </li>
            ))}
        </ul>
      </nav>
    </>
  )
}
