import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FastForward } from 'lucide-react'
import { useState } from 'react'
import { sessionsPerPage, sessionsQuery } from '../api/sessions.ts'
import { PagePlaceOf } from '../app/page-place.ts'
import { SessionList } from '../components/sessions/session-list.tsx'
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
      {items.length > 0 && <SessionList label="Sessions" sessions={items} />}
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
