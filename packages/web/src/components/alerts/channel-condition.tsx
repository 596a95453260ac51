import type { AlertChannelHealth } from '@vedette/wire'
import { Badge, type BadgeTone } from '../../ui/badge.tsx'
import { StateIcon } from '../checks/state-mark.tsx'
import { TimeAgo } from '../time/time-text.tsx'

const looks: Record<
  AlertChannelHealth['condition'],
  { tone: BadgeTone; label: string; state: 'passing' | 'failing' | 'pending' }
> = {
  working: { tone: 'pass', label: 'Delivers', state: 'passing' },
  failing: { tone: 'fail', label: 'Not delivered', state: 'failing' },
  unused: { tone: 'quiet', label: 'Nothing sent yet', state: 'pending' },
}

/** Whether notifications of a channel arrive, and what its last answer was. */
export function ChannelCondition({ health }: { health: AlertChannelHealth }) {
  const { tone, label, state } = looks[health.condition]
  const answer = [health.status, health.answer].filter((part) => part !== null && part !== '').join(' ')
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-ink-soft">
      <Badge tone={tone} icon={<StateIcon state={state} />}>
        {label}
      </Badge>
      {health.at !== null && (
        <span>
          last <TimeAgo at={health.at} />
        </span>
      )}
      {health.condition === 'failing' && answer !== '' && (
        <span className="min-w-0 break-words text-fail">{answer}</span>
      )}
      {health.waiting > 0 && <span>{health.waiting} being sent</span>}
    </p>
  )
}
