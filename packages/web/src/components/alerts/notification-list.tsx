import { Link } from '@tanstack/react-router'
import type { AlertNotification } from '@vedette/wire'
import { capitalised } from '../../ui/capitalised.ts'
import { kindText } from './channel-name.ts'
import { StateIcon } from '../checks/state-mark.tsx'
import { Moment } from '../time/time-text.tsx'
import { durationText } from '../time/format-time.ts'

const outcomes = {
  SUCCESS: { label: 'Delivered', state: 'passing' },
  FAILURE: { label: 'Not delivered', state: 'failing' },
  IN_PROGRESS: { label: 'Being sent', state: 'pending' },
  RATE_LIMITED: { label: 'Slowed down by the receiver', state: 'degraded' },
} as const

interface Props {
  notifications: readonly AlertNotification[]
  empty: string
  /** What the page around the list is about. The rows do not repeat it. */
  within?: 'check' | 'episode' | 'result'
}

/** Notifications: to which channel, when, with what outcome. */
export function NotificationList({ notifications, empty, within }: Props) {
  if (notifications.length === 0) return <p className="text-ink-soft">{empty}</p>
  return (
    <ul className="divide-y divide-line">
      {notifications.map((each) => (
        <NotificationRow key={each.id} notification={each} within={within} />
      ))}
    </ul>
  )
}

interface RowProps {
  notification: AlertNotification
  within: Props['within']
}

function NotificationRow({ notification: each, within }: RowProps) {
  const outcome = outcomes[each.status]
  return (
    <li className={`grid gap-x-4 py-2 text-sm ${within === 'check' ? '' : 'md:grid-cols-[12rem_1fr_auto]'}`}>
      <span className="flex items-center gap-1.5 self-start font-medium">
        <StateIcon state={outcome.state} />
        {outcome.label}
      </span>
      <span className="min-w-0 break-words">
        {aboutOf(each, within)} by {kindText(each.type)} to {targetOf(each.alertConfig)}
        {each.status !== 'SUCCESS' && each.attempts > 0 && (
          <span className="block text-fail">
            {[each.responseStatus, each.notificationResult ?? 'no answer'].filter((part) => part !== null).join(' ')}
          </span>
        )}
        {each.status === 'IN_PROGRESS' && each.nextAttemptAt && (
          <span className="block text-ink-soft">
            next try <Moment at={each.nextAttemptAt} />
          </span>
        )}
        {within !== 'result' && each.checkId !== null && each.checkResultId && (
          <Link
            to="/checks/$checkId/results/$resultId"
            params={{ checkId: each.checkId, resultId: each.checkResultId }}
            className="flex min-h-control items-center text-accent underline md:min-h-0 md:w-fit"
          >
            View result
          </Link>
        )}
      </span>
      <Timing notification={each} within={within} />
    </li>
  )
}

/** When it was queued, after how many tries and how soon it was accepted. */
function Timing({ notification: each, within }: RowProps) {
  const took = each.acceptedAt && each.decidedAt ? Date.parse(each.acceptedAt) - Date.parse(each.decidedAt) : undefined
  return (
    <span className={`text-sm text-ink-soft ${within === 'check' ? '' : 'md:text-right'}`}>
      {each.queuedAt && <Moment at={each.queuedAt} />}
      <span className="block">
        {each.attempts} {each.attempts === 1 ? 'try' : 'tries'}
        {took !== undefined && `, accepted after ${durationText(took)}`}
        {each.status === 'IN_PROGRESS' && each.timestamp === null && ', not sent yet'}
      </span>
    </span>
  )
}

const watchKinds: Record<string, string> = { ALERT_UNKNOWN: 'Not watched', ALERT_UNKNOWN_RECOVERY: 'Watched again' }

const kindOf = (alertType: string): string =>
  watchKinds[alertType] ?? capitalised(alertType.replace('ALERT_', '').replaceAll('_', ' ').toLowerCase())

/** What it says; of which check, where the page does not say so. */
function aboutOf({ title, checkName, alertType }: AlertNotification, within: Props['within']): string {
  if (title !== null) return `${checkName}: ${title}`
  const kind = kindOf(alertType)
  return checkName && within === undefined ? `${kind} of ${checkName}` : kind
}

function targetOf(config: Record<string, unknown>): string {
  for (const name of ['address', 'name', 'url', 'number']) {
    const value = config[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return 'its receiver'
}
