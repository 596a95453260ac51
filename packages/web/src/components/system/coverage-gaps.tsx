import { useQuery } from '@tanstack/react-query'
import type { CoverageGap } from '@vedette/wire'
import { call, withQuery } from '../../api/client.ts'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Moment } from '../time/time-text.tsx'
import { durationText } from '../time/format-time.ts'

const days = 7

/** The periods in which nothing was checked. */
export function CoverageGapsPanel() {
  const gaps = useQuery({
    queryKey: ['coverage-gaps'],
    queryFn: () => {
      const from = Math.floor(Date.now() / 1000) - days * 86_400
      return call<CoverageGap[]>('GET', withQuery('/v1/coverage-gaps', { from, limit: 50 }))
    },
    refetchInterval: 60_000,
  })
  return (
    <Panel title="Gaps in watching">
      {gaps.isPending && <Skeleton label="Reading gaps" />}
      {gaps.isError && (
        <p role="alert" className="text-fail">
          {gaps.error.message}
        </p>
      )}
      {gaps.data?.length === 0 && <p className="text-ink-soft">No gap in the last {days} days.</p>}
      <ul className="divide-y divide-line">
        {gaps.data?.map((gap) => (
          <li key={gap.id} className="py-2">
            <span className="font-semibold">{gap.location ?? 'All checks'}</span>: <Moment at={gap.from} /> for{' '}
            {durationText(Date.parse(gap.to) - Date.parse(gap.from))}
            <span className="block text-ink-soft">{gap.reason}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
