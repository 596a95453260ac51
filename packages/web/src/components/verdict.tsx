import type { OverviewItem } from '../api/types.ts'
import { useConnection } from '../live/live-provider.tsx'
import { isStale } from './check-row.tsx'
import { StateBadge } from './state-mark.tsx'
import { absoluteTime, durationText, TimeAgo, useNow } from './time-text.tsx'

/** The verdict with its cause line: what, where (k of n), since when, why, last good. Stale data says that it is. */
export function Verdict({ item }: { item: OverviewItem }) {
  const now = useNow()
  const connected = useConnection() !== 'lost'
  const stale = isStale(item, now, connected)
  return (
    <section aria-label="Verdict" className="rounded-xl border border-line bg-surface p-4 md:p-5">
      <p className="flex flex-wrap items-center gap-3 text-lg">
        <StateBadge state={item.state} stale={stale} />
        {item.muted && <span className="rounded bg-sunken px-2 text-base text-ink-soft">muted: nobody is told</span>}
        <span>{item.action}</span>
      </p>
      {stale && <p className="mt-2 font-semibold text-ink-soft">{staleSentence(item, now, connected)}</p>}
      <p className="mt-2 text-lg break-words">{item.notRunnable ?? causeSentence(item)}</p>
      <p className="mt-2 text-ink-soft">
        {item.stateSince !== null && ['failing', 'degraded'].includes(item.state) && (
          <>
            Since {absoluteTime(Date.parse(item.stateSince), false)} (
            {durationText(Math.max(0, now - Date.parse(item.stateSince)))}).{' '}
          </>
        )}
        Last good <TimeAgo at={item.lastPassAt} />. Last run <TimeAgo at={item.lastRunAt} />
        {item.lastRunLocation && ` from ${item.lastRunLocation}`}. Runs every {durationText(item.periodMs)}.
        {item.overlaps > 0 &&
          ` ${item.overlaps} runs were skipped because the run before was still going: it takes longer than its frequency.`}
      </p>
    </section>
  )
}

function causeSentence(item: OverviewItem): string {
  const places = Math.max(1, item.places)
  const where =
    item.failingLocations.length > 0
      ? ` At ${item.failingLocations.length} of ${places} locations: ${item.failingLocations.join(', ')}.`
      : ''
  if (item.state === 'passing') return 'Everything is as expected.'
  if (item.state === 'paused') return 'This check is switched off.'
  if (item.state === 'pending') return 'The first result is on its way.'
  return `${item.cause ?? 'No cause was recorded.'}${where}`
}

function staleSentence(item: OverviewItem, now: number, connected: boolean): string {
  if (!connected) return 'Cut off from the server: this is the last known state, not the present one.'
  const age = item.lastRunAt === null ? '' : durationText(now - Date.parse(item.lastRunAt))
  return `No result for ${age}, more than two periods: this is the last known state, not the present one.`
}
