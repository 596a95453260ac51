import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { isFinalStatus, type CheckSession } from '@vedette/wire'
import { groupRunQuery } from '../api/group-run.ts'
import { checksText } from '../api/checks-text.ts'
import { isNowhere } from '../api/client.ts'
import { groupCountsQuery, groupQuery } from '../api/groups.ts'
import { PagePlaceOf } from '../app/page-place.ts'
import { SessionList } from '../components/sessions/session-list.tsx'
import { ClockTime } from '../components/time/time-text.tsx'
import { Fault } from '../ui/panel.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { NotFoundPage } from './not-found-page.tsx'

/** A group that was run at once, as it goes on: a session for each of its checks. */
export function GroupRunPage() {
  const { groupId, startedAt } = useParams({ from: '/shell/groups/$groupId/runs/$startedAt' })
  const group = useQuery(groupQuery(Number(groupId)))
  const run = useQuery(groupRunQuery(startedAt))
  if (group.isPending || run.isPending) return <Skeleton label="Reading the run" lines={5} />
  if (isNowhere(group.error)) return <NotFoundPage what="group" />
  if (!group.data) return <Fault text={group.error.message} onRetry={() => void group.refetch()} />
  const { id, name } = group.data
  return (
    <>
      <PagePlaceOf
        title={`Run of ${name}`}
        crumbs={[{ label: 'Groups', to: '/groups' }, { label: name, to: `/groups/${id}` }, { label: 'Run' }]}
      />
      <h1 className="text-xl font-semibold tracking-tight break-words">Run of {name}</h1>
      {run.isError && <Fault text={run.error.message} onRetry={() => void run.refetch()} />}
      {run.data?.length === 0 && <NoneListed />}
      {run.data !== undefined && run.data.length > 0 && (
        <>
          <Progress groupId={id} startedAt={startedAt} sessions={run.data} />
          <SessionList
            label="Checks of this run"
            sessions={run.data.toSorted((a, b) => a.name.localeCompare(b.name))}
          />
        </>
      )}
    </>
  )
}

const NoneListed = () => (
  <p className="text-ink-soft">
    No session of this run is listed: it is too long ago, or there was none. Newer ones are on the page{' '}
    <Link to="/sessions" className="underline">
      Sessions
    </Link>
    .
  </p>
)

interface ProgressProps {
  groupId: number
  startedAt: string
  sessions: readonly CheckSession[]
}

function Progress({ groupId, startedAt, sessions }: ProgressProps) {
  const total = useQuery(groupCountsQuery).data?.get(groupId)?.total ?? sessions.length
  const over = sessions.filter(({ status }) => isFinalStatus(status)).length
  const left = total - sessions.length
  return (
    <div className="mt-1 mb-3 text-ink-soft">
      <p role="status">
        {over < sessions.length ? `${over} of ${checksText(sessions.length)} over` : `${checksText(over)}, all over`}
        {outcomesText(sessions)}.
      </p>
      <p>
        Started at <ClockTime at={startedAt} hasSeconds />.
        {left > 0 && ` ${checksText(left)} of the group did not run: paused, waiting for events, or without a runner.`}
      </p>
    </div>
  )
}

const outcomes = [
  ['PASSED', 'passed'],
  ['DEGRADED', 'degraded'],
  ['FAILED', 'failed'],
  ['TIMED_OUT', 'timed out'],
  ['CANCELLED', 'cancelled'],
] as const

/** ": 2 passed, 1 failed". */
function outcomesText(sessions: readonly CheckSession[]): string {
  const counts = outcomes.map(([status, word]) => ({
    count: sessions.filter((session) => session.status === status).length,
    word,
  }))
  const told = counts.filter(({ count }) => count > 0).map(({ count, word }) => `${count} ${word}`)
  return told.length === 0 ? '' : `: ${told.join(', ')}`
}
