import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { CheckEpisode } from '@vedette/wire'
import { episodesQuery } from '../../api/history.ts'
import type { CheckSearch } from '../../app/check-search.ts'
import { Fault, Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StateIcon, stateLooks } from '../checks/state-mark.tsx'
import { durationText } from '../time/format-time.ts'
import { ClockTime, useNow } from '../time/time-text.tsx'

/** When the check was not well in the range: since when, for how long, why, and who was notified. */
export function EpisodesPanel({ checkId, search }: { checkId: string; search: CheckSearch }) {
  const episodes = useQuery(episodesQuery(checkId, search))
  return (
    <Panel title="Episodes" isFlush>
      {episodes.isError && (
        <div className="px-4 pb-3">
          <Fault text={episodes.error.message} onRetry={() => void episodes.refetch()} />
        </div>
      )}
      {episodes.isPending && <Skeleton label="Reading episodes" className="px-4 pb-3" />}
      {episodes.data?.length === 0 && (
        <p className="px-4 pb-3 text-ink-soft">None: it neither failed nor was degraded in this time.</p>
      )}
      <ul aria-label="Episodes" className="divide-y divide-line">
        {episodes.data?.map((episode) => (
          <EpisodeRow key={episode.id} checkId={checkId} episode={episode} />
        ))}
      </ul>
    </Panel>
  )
}

function EpisodeRow({ checkId, episode }: { checkId: string; episode: CheckEpisode }) {
  const now = useNow()
  const lasts = (episode.endedAt === null ? now : Date.parse(episode.endedAt)) - Date.parse(episode.startedAt)
  return (
    <li className="grid gap-x-3 px-4 py-2 md:grid-cols-[7rem_9rem_1fr]">
      <span className={`flex items-center gap-1.5 self-start font-medium ${stateLooks[episode.state].ink}`}>
        <StateIcon state={episode.state} />
        {stateLooks[episode.state].label}
      </span>
      <span className="text-sm">
        <ClockTime at={episode.startedAt} />
        <span className="block text-ink-soft">
          {episode.endedAt === null ? 'lasts for ' : 'for '}
          {durationText(Math.max(1000, Math.floor(lasts / 1000) * 1000))}
        </span>
      </span>
      <span className="min-w-0 text-sm break-words">
        {episode.resultId === null ? (
          (episode.cause ?? 'No cause was recorded')
        ) : (
          <Link
            to="/checks/$checkId/results/$resultId"
            params={{ checkId, resultId: episode.resultId }}
            className="underline decoration-line-strong underline-offset-2 hover:text-accent max-md:flex max-md:min-h-11 max-md:items-center"
          >
            {episode.cause ?? 'The first bad result'}
          </Link>
        )}
        <span className="block text-ink-soft">
          {notifiedText(episode.notified)}
          {episode.acknowledgedBy !== null && ` · ${episode.acknowledgedBy} was on it`}
        </span>
      </span>
    </li>
  )
}

function notifiedText(notified: CheckEpisode['notified']): string {
  if (notified.length === 0) return 'nobody was notified'
  const namesOf = (isLost: boolean) =>
    new Intl.ListFormat('en').format(
      new Set(notified.filter(({ status }) => (status === 'FAILURE') === isLost).map(({ name }) => name)),
    )
  const [reached, lost] = [namesOf(false), namesOf(true)]
  return [reached && `notified ${reached}`, lost && `not delivered to ${lost}`].filter((part) => part !== '').join('; ')
}
