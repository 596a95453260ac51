import { Link } from '@tanstack/react-router'
import type { OverviewItem } from '../api/types.ts'
import { useConnection } from '../live/live-provider.tsx'
import { RunStrip } from './run-strip.tsx'
import { StateBadge } from './state-mark.tsx'
import { TimeAgo, useNow } from './time-text.tsx'

/** Data older than two periods (and a little) says nothing about now. */
export function isStale(
  item: Pick<OverviewItem, 'state' | 'lastRunAt' | 'periodMs'>,
  nowMs: number,
  connected: boolean,
): boolean {
  if (item.state === 'paused' || item.state === 'pending' || item.lastRunAt === null) return false
  return !connected || nowMs - Date.parse(item.lastRunAt) > 2 * item.periodMs + 30_000
}

export function CheckRow({ item }: { item: OverviewItem }) {
  const stale = isStale(item, useNow(), useConnection() !== 'lost')
  return (
    <li>
      <Link
        to="/checks/$checkId"
        params={{ checkId: item.checkId }}
        data-check-row
        className="grid gap-x-4 gap-y-1 px-4 py-3 hover:bg-sunken md:grid-cols-[11rem_1fr_auto_9rem] md:items-center"
      >
        <StateBadgeCell item={item} stale={stale} />
        <span className="min-w-0">
          <span className="block truncate font-semibold">{item.name}</span>
          <span
            className={`block text-sm ${item.cause && item.state !== 'passing' ? 'text-ink' : 'text-ink-soft'} md:truncate`}
          >
            {item.notRunnable ?? (item.state === 'passing' ? item.action : (item.cause ?? item.action))}
          </span>
        </span>
        <RunStrip runs={item.runs} stale={stale} />
        <span className="text-sm text-ink-soft md:text-right">
          {item.state !== 'passing' && item.stateSince !== null ? 'since ' : 'ran '}
          <TimeAgo at={item.state !== 'passing' && item.stateSince !== null ? item.stateSince : item.lastRunAt} />
        </span>
      </Link>
    </li>
  )
}

function StateBadgeCell({ item, stale }: { item: OverviewItem; stale: boolean }) {
  return (
    <span className="flex flex-wrap items-center gap-2">
      <StateBadge state={item.state} stale={stale} />
      {item.muted && <span className="rounded bg-sunken px-2 text-sm text-ink-soft">muted</span>}
      {item.failingLocations.length > 0 && (
        <span className="text-sm text-ink-soft">
          {item.failingLocations.length} of {Math.max(1, item.places)}
        </span>
      )}
    </span>
  )
}
