import type { CheckState } from '@vedette/wire'
import { Badge, type BadgeTone } from '../../ui/badge.tsx'

/** Look and label of each state. Shape and label identify it; colour is not needed. */
export const stateLooks: Record<CheckState, { label: string; ink: string; tone: BadgeTone; shape: string }> = {
  passing: { label: 'Passing', ink: 'text-pass', tone: 'pass', shape: 'M3.5 8.5 6.8 12 12.5 4.5' },
  degraded: { label: 'Degraded', ink: 'text-degraded', tone: 'degraded', shape: 'M8 3 14 13.5H2Z M8 7v3' },
  failing: { label: 'Failing', ink: 'text-fail', tone: 'fail', shape: 'M4 4l8 8M12 4l-8 8' },
  unknown: {
    label: 'Not known',
    ink: 'text-unknown',
    tone: 'unknown',
    shape: 'M5.5 6a2.5 2.5 0 1 1 3.6 2.2C8.3 8.7 8 9 8 10M8 12.6v.2',
  },
  paused: { label: 'Paused', ink: 'text-paused', tone: 'quiet', shape: 'M5.5 4v8M10.5 4v8' },
  pending: {
    label: 'Waiting',
    ink: 'text-ink-soft',
    tone: 'quiet',
    shape: 'M8 5v3.2l2 1.3M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0',
  },
}

/** The order in which counts of states stand beside each other. */
export const statesWorstFirst: readonly CheckState[] = [
  'failing',
  'degraded',
  'unknown',
  'pending',
  'passing',
  'paused',
]

/** Labels of the same states for the outcome of one finished run. */
export const resultLabels: Record<CheckState, string> = {
  passing: 'Passed',
  degraded: 'Degraded',
  failing: 'Failed',
  unknown: 'Not known',
  paused: 'Paused',
  pending: 'Waiting',
}

export function StateIcon({ state, stale = false }: { state: CheckState; stale?: boolean }) {
  const look = stateLooks[state]
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 16 16"
      className={`size-4 shrink-0 ${stale ? 'text-ink-soft opacity-60' : look.ink}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="2.2"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={look.shape} />
    </svg>
  )
}

/** The state as shape, label and colour. An outdated state is grey and labelled as a past one. */
export function StateBadge({ state, stale = false, label }: { state: CheckState; stale?: boolean; label?: string }) {
  const look = stateLooks[state]
  return (
    <Badge tone={stale ? 'quiet' : look.tone} icon={<StateIcon state={state} stale={stale} />}>
      {stale ? `Was ${look.label.toLowerCase()}` : (label ?? look.label)}
    </Badge>
  )
}
