import { Link } from '@tanstack/react-router'
import { isFinalStatus, type CheckSession } from '@vedette/wire'
import { durationText } from '../time/format-time.ts'
import { TimeAgo } from '../time/time-text.tsx'
import { SessionBadge, sourceText } from './session-badge.tsx'

/** Sessions with their status, each a way to its page. */
export const SessionList = ({ label, sessions }: { label: string; sessions: readonly CheckSession[] }) => (
  <ul aria-label={label} className="divide-y divide-line rounded-lg border border-line bg-surface shadow-raised">
    {sessions.map((session) => (
      <SessionRow key={session.checkSessionId} session={session} />
    ))}
  </ul>
)

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
