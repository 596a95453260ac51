import type { CheckState, SessionStatus } from '@vedette/wire'
import { StateBadge } from '../checks/state-mark.tsx'

/** How each status of a session looks and is called. */
const looks: Record<SessionStatus, { state: CheckState; label: string }> = {
  STARTED: { state: 'pending', label: 'Started' },
  PROGRESS: { state: 'pending', label: 'Running' },
  PROGRESS_DEGRADED: { state: 'degraded', label: 'Running, degraded so far' },
  PROGRESS_FAILED: { state: 'failing', label: 'Running, failed so far' },
  PASSED: { state: 'passing', label: 'Passed' },
  DEGRADED: { state: 'degraded', label: 'Degraded' },
  FAILED: { state: 'failing', label: 'Failed' },
  TIMED_OUT: { state: 'unknown', label: 'Timed out' },
  CANCELLED: { state: 'paused', label: 'Cancelled' },
}

export const SessionBadge = ({ status }: { status: SessionStatus }) => (
  <StateBadge state={looks[status].state} label={looks[status].label} />
)

const sources: Record<string, string> = {
  TRIGGER_API: 'by the API or a trigger',
  GROUP_RUN_ALL: 'with its group',
  SCHEDULE_NOW: 'by “Run now”',
}

/** What began a session, as the end of a sentence. */
export const sourceText = (source: string | null): string => sources[source ?? ''] ?? ''
