import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Health } from '@vedette/wire'
import { call } from '../../api/client.ts'
import { TimeAgo } from '../basics/time-text.tsx'
import { StateIcon } from '../checks/state-mark.tsx'
import { bannerOf } from './health-view.ts'

/** Used by every page and the settings page. Live events bring changes; the interval is for what they miss. */
export const healthQuery = {
  queryKey: ['health'],
  queryFn: () => call<Health>('GET', '/v1/health'),
  refetchInterval: 30_000,
  // A device that believes to be offline asks all the same: not being able to ask is an answer.
  networkMode: 'always',
} as const

const looks = {
  failing: 'border-fail bg-fail-wash',
  degraded: 'border-degraded bg-degraded-wash',
  unknown: 'border-unknown bg-unknown-wash',
} as const

/** On every page: the worst that is wrong with Vedette itself, or that this cannot be read. Nothing while all is well. */
export function HealthBanner() {
  const shown = bannerOf(useQuery(healthQuery))
  // The element stays: screen readers announce what changes in it.
  return (
    <div role="status" aria-label="Vedette itself">
      {shown && (
        <p className={`flex flex-wrap items-center gap-x-3 border-b px-4 py-1 md:px-8 ${looks[shown.state]}`}>
          <span className="flex items-center gap-2 font-semibold">
            <StateIcon state={shown.state} />
            {shown.title}
          </span>
          {shown.since !== undefined && (
            <span>
              {shown.sinceWord} <TimeAgo at={shown.since} />
            </span>
          )}
          <span className="hidden min-w-0 sm:inline">{shown.advice}</span>
          <Link to="/settings" hash="health" className="flex min-h-11 items-center text-accent underline">
            {shown.others === 0 ? 'Details' : `Details, and ${shown.others} more`}
          </Link>
        </p>
      )}
    </div>
  )
}
