import { Link } from '@tanstack/react-router'
import type { OverviewRow } from '@vedette/wire'
import { useConnection } from '../../live/live-provider.tsx'
import { isStale } from '../system/stale.ts'
import { StateBadge } from '../checks/state-mark.tsx'
import { Moment, TimeAgo, useNow } from '../basics/time-text.tsx'
import { durationText } from '../basics/format-time.ts'
import { causeSentence } from './cause-sentence.ts'

/** The verdict and its cause: what, where (k of n), since when, why, last good. Outdated data is labelled as such. */
export function Verdict({ item }: { item: OverviewRow }) {
  const now = useNow()
  const connected = useConnection() !== 'lost'
  const stale = isStale(item, now, connected)
  return (
    <section aria-label="Verdict" className="rounded-xl border border-line bg-surface p-4 md:p-5">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <StateBadge state={item.state} stale={stale} />
        {item.muted && <span className="rounded bg-sunken px-2 text-ink-soft">muted: nobody is notified</span>}
        <span className="min-w-0 break-all">{item.action}</span>
      </p>
      {stale && <p className="mt-2 font-semibold">{staleSentence(item, now, connected)}</p>}
      <p className={`mt-2 text-lg break-words ${stale ? 'text-ink-soft' : ''}`}>
        {item.notRunnable ?? causeSentence(item)}
      </p>
      <p className="mt-2 text-ink-soft">
        <Since item={item} now={now} />
        Last good <TimeAgo at={item.lastPassAt} />. Last run <TimeAgo at={item.lastRunAt} />
        {item.lastRunLocation && ` from ${item.lastRunLocation}`}.
        {item.periodMs !== null && ` Runs every ${durationText(item.periodMs)}.`}
        {item.overlaps > 0 && ` Skipped so far because the run before was still going: ${item.overlaps}.`}
      </p>
      {item.lastResultId !== null && (
        <Link
          to="/checks/$checkId/results/$resultId"
          params={{ checkId: item.checkId, resultId: item.lastResultId }}
          className="mt-1 inline-flex min-h-11 items-center text-accent underline"
        >
          Open the last result
        </Link>
      )}
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
