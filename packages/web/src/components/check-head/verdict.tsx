import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { OverviewRow } from '@vedette/wire'
import { BellOff, UserCheck } from 'lucide-react'
import { useConnection } from '../../live/live-provider.tsx'
import { Badge } from '../../ui/badge.tsx'
import { StateBadge } from '../checks/state-mark.tsx'
import { waitLabel } from '../checks/wait-label.ts'
import { agentsQuery } from '../locations/agents-query.ts'
import { isEmulated } from '../locations/emulated.ts'
import { isStale } from '../system/stale.ts'
import { durationText } from '../time/format-time.ts'
import { ClockTime, Moment, TimeAgo, useNow } from '../time/time-text.tsx'
import { causeSentence } from './cause-sentence.ts'
import { HeldBack } from './held-back.tsx'

/** The verdict and its cause: what, where (k of n), since when, why, last good. Outdated data is labelled as such. */
export function Verdict({ item }: { item: OverviewRow }) {
  const now = useNow()
  const connected = useConnection() !== 'lost'
  const stale = isStale(item, now, connected)
  const agents = useQuery(agentsQuery).data ?? []
  const nameOf = (location: string) => (isEmulated(location, agents) ? `${location} (emulated)` : location)
  return (
    <section aria-label="Verdict" className="min-w-0">
      <p className="flex flex-wrap items-center gap-2">
        <StateBadge state={item.state} stale={stale} label={waitLabel(item)} />
        {item.muted && (
          <Badge tone="quiet" icon={<BellOff aria-hidden="true" className="size-3.5" />}>
            {item.mutedUntil === null ? (
              'muted: nobody is notified'
            ) : (
              <>
                muted until <ClockTime at={item.mutedUntil} />
              </>
            )}
          </Badge>
        )}
        {item.acknowledged && (
          <Badge tone="accent" icon={<UserCheck aria-hidden="true" className="size-3.5" />}>
            {item.acknowledged.by} is on it, <TimeAgo at={item.acknowledged.at} />
          </Badge>
        )}
      </p>
      {stale && <p className="mt-1.5 font-medium">{staleSentence(item, now, connected)}</p>}
      <p className={`mt-1.5 text-lg break-words ${stale ? 'text-ink-soft' : ''}`}>
        {item.notRunnable ?? causeSentence(item, nameOf)}
      </p>
      <HeldBack item={item} />
      <p className="mt-0.5 text-sm text-ink-soft">
        <Since item={item} now={now} />
        Last good <TimeAgo at={item.lastPassAt} />. {item.periodMs === null ? 'Last result' : 'Last run'}{' '}
        <TimeAgo at={item.lastRunAt} />
        {item.lastRunLocation && ` from ${nameOf(item.lastRunLocation)}`}.{' '}
        {item.lastResultId !== null && (
          <Link
            to="/checks/$checkId/results/$resultId"
            params={{ checkId: item.checkId, resultId: item.lastResultId }}
            className="text-accent underline underline-offset-2"
          >
            View result
          </Link>
        )}
      </p>
    </section>
  )
}

function Since({ item, now }: { item: OverviewRow; now: number }) {
  if (item.stateSince === null || !['failing', 'degraded'].includes(item.state)) return null
  const lasts = Math.max(0, now - Date.parse(item.stateSince))
  return (
    <>
      Since <Moment at={item.stateSince} />, for {durationText(Math.max(1000, Math.floor(lasts / 1000) * 1000))}.{' '}
    </>
  )
}

function staleSentence(item: OverviewRow, now: number, connected: boolean): string {
  if (!connected) return 'Cut off from the server: this is the last known state, not the present one.'
  const age = item.lastRunAt === null ? '' : durationText(now - Date.parse(item.lastRunAt))
  return `No result for ${age}, more than two periods: this is the last known state, not the present one.`
}
