import { Link } from '@tanstack/react-router'
import type { OverviewRow } from '@vedette/wire'
import { useConnection } from '../../live/live-provider.tsx'
import { RunStrip } from './run-strip.tsx'
import { isStale } from '../system/stale.ts'
import { StateBadge } from './state-mark.tsx'
import { TimeAgo, useNow } from '../basics/time-text.tsx'

const shownTags = 3

export function CheckRow({ item }: { item: OverviewRow }) {
  const stale = isStale(item, useNow(), useConnection() !== 'lost')
  const isTrouble = item.state !== 'passing' && item.stateSince !== null
  return (
    <li>
      <Link
        to="/checks/$checkId"
        params={{ checkId: item.checkId }}
        data-check-row
        className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1 px-4 py-3 outline-offset-[-3px] hover:bg-sunken md:grid-cols-[11rem_1fr_auto_9rem]"
      >
        <StateBadgeCell item={item} stale={stale} />
        <span className="text-right text-sm text-ink-soft md:order-last">
          {isTrouble ? 'since ' : 'ran '}
          <TimeAgo at={isTrouble ? item.stateSince : item.lastRunAt} />
        </span>
        <span className="col-span-2 min-w-0 md:col-span-1">
          <span className="flex items-baseline gap-3">
            <span className="min-w-0 font-semibold break-words md:truncate">{item.name}</span>
            <Tags tags={item.tags} />
          </span>
          <span
            className={`block text-sm break-words md:truncate ${item.cause && item.state !== 'passing' ? 'text-ink' : 'text-ink-soft'}`}
          >
            {item.notRunnable ?? (item.state === 'passing' ? item.action : (item.cause ?? item.action))}
          </span>
        </span>
        <span className={item.state === 'passing' ? 'hidden md:block' : undefined}>
          <RunStrip runs={item.runs} stale={stale} />
        </span>
      </Link>
    </li>
  )
}

function Tags({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return null
  return (
    <span className="hidden shrink-0 gap-1 text-sm text-ink-soft lg:flex">
      {tags.slice(0, shownTags).map((tag) => (
        <span key={tag} className="max-w-28 truncate rounded bg-sunken px-1.5">
          {tag}
        </span>
      ))}
      {tags.length > shownTags && <span>+{tags.length - shownTags}</span>}
    </span>
  )
}

function StateBadgeCell({ item, stale }: { item: OverviewRow; stale: boolean }) {
  return (
    <span className="flex flex-wrap items-center gap-2">
      <StateBadge state={item.state} stale={stale} />
      {item.muted && <span className="rounded bg-sunken px-2 text-sm text-ink-soft">muted</span>}
      {item.failingLocations.length > 0 && (
        <span className="text-sm text-ink-soft">
          {item.failingLocations.length} of {Math.max(1, item.locationCount)}
        </span>
      )}
    </span>
  )
}
