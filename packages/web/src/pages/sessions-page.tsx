import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { isFinalStatus, type CheckSession } from '@vedette/wire'
import { FastForward } from 'lucide-react'
import { useState } from 'react'
import { sessionsPerPage, sessionsQuery } from '../api/sessions.ts'
import { PagePlaceOf } from '../app/page-place.ts'
import { SessionBadge, sourceText } from '../components/sessions/session-badge.tsx'
import { durationText } from '../components/time/format-time.ts'
import { TimeAgo } from '../components/time/time-text.tsx'
import { Button, buttonLook } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Fault } from '../ui/panel.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

/** The runs that were asked for besides the schedule. */
export function SessionsPage() {
  const [page, setPage] = useState(1)
  const sessions = useQuery(sessionsQuery(page))
  const { items = [], total = 0 } = sessions.data ?? {}
  return (
    <>
      <PagePlaceOf title="Sessions" />
      <h1 className="text-xl font-semibold tracking-tight">Sessions</h1>
      <p className="mb-3 text-ink-soft">
        Runs that somebody asked for, by “Run now”, the API or a trigger. Kept for 30 days.
      </p>
      {sessions.isError && <Fault text={sessions.error.message} onRetry={() => void sessions.refetch()} />}
      {sessions.isPending && <Skeleton label="Reading sessions" />}
      {sessions.isSuccess && total === 0 && <NoSessions />}
      {items.length > 0 && (
        <ul
          aria-label="Sessions"
          className="divide-y divide-line rounded-lg border border-line bg-surface shadow-raised"
        >
          {items.map((session) => (
            <SessionRow key={session.checkSessionId} session={session} />
          ))}
        </ul>
      )}
      {total > sessionsPerPage && (
        <div className="mt-3 flex items-center gap-2">
          <Button disabled={page === 1} onClick={() => setPage(page - 1)}>
            Newer
          </Button>
          <Button disabled={page * sessionsPerPage >= total} onClick={() => setPage(page + 1)}>
            Older
          </Button>
          <span className="text-ink-soft">
            {(page - 1) * sessionsPerPage + 1} to {Math.min(page * sessionsPerPage, total)} of {total}
          </span>
        </div>
      )}
    </>
  )
}

function SessionRow({ session }: { session: CheckSession }) {
  const { checkSessionId: sessionId, name, status, startedAt, timeElapsed, runLocations, runSource } = session
  return (
    <li className="grid gap-x-4 gap-y-0.5 px-4 py-2 md:grid-cols-[minmax(0,1fr)_auto] md:items-center">
      <span className="min-w-0">
        <Link
          to="/sessions/$sessionId"
          params={{ sessionId }}
          className="inline-flex min-h-6 items-center font-medium break-words hover:underline max-md:min-h-11"
        >
          {name}
        </Link>
        <span className="block text-sm text-ink-soft">
          {runLocations.join(', ')} · started {sourceText(runSource)} <TimeAgo at={startedAt} />
          {isFinalStatus(status) && ` · took ${durationText(timeElapsed)}`}
        </span>
      </span>
      <span>
        <SessionBadge status={status} />
      </span>
    </li>
  )
}

const NoSessions = () => (
  <EmptyState
    icon={<FastForward />}
    title="Nobody asked for a run yet"
    actions={
      <Link to="/" className={buttonLook('primary')}>
        Go to the checks
      </Link>
    }
  >
    Press “Run now” at a check, choose several in the list and run them, or let a pipeline call{' '}
    <code className="font-mono break-all">POST /v2/check-sessions/trigger</code> and wait for the outcome.
  </EmptyState>
)
