import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Health } from '@vedette/wire'
import { call } from '../../api/client.ts'
import { TimeAgo } from '../basics/time-text.tsx'
import { StateIcon } from '../checks/state-mark.tsx'

/** Used by every page and the settings page. Live events bring changes; the interval is for what they miss. */
export const healthQuery = {
  queryKey: ['health'],
  queryFn: () => call<Health>('GET', '/v1/health'),
  refetchInterval: 30_000,
} as const

const looks = {
  critical: 'border-fail bg-fail-wash',
  warning: 'border-degraded bg-degraded-wash',
} as const

/** On every page: the worst that is wrong with Vedette itself, and what to do. Nothing while all is well. */
export function HealthBanner() {
  const health = useQuery(healthQuery)
  const [worst, ...others] = health.data?.troubles ?? []
  // The element stays: screen readers announce what changes in it.
  return (
    <div role="status" aria-label="Vedette itself">
      {worst && (
        <p className={`flex flex-wrap items-center gap-x-3 border-b px-4 py-1 md:px-8 ${looks[worst.severity]}`}>
          <span className="flex items-center gap-2 font-semibold">
            <StateIcon state={worst.severity === 'critical' ? 'failing' : 'degraded'} />
            {worst.title}
          </span>
          <span>
            began <TimeAgo at={worst.since} />
          </span>
          <span className="hidden min-w-0 sm:inline">{worst.advice}</span>
          <Link to="/settings" hash="health" className="flex min-h-11 items-center text-accent underline">
            {others.length === 0 ? 'Details' : `Details, and ${others.length} more`}
          </Link>
        </p>
      )}
    </div>
  )
}
