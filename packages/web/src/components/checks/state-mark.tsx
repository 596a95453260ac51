import type { CheckState } from '@vedette/wire'

/** Look and label of each state. Shape and label identify it; colour is not needed. */
export const stateLooks: Record<CheckState, { label: string; ink: string; wash: string; shape: string }> = {
  passing: { label: 'Passing', ink: 'text-pass', wash: 'bg-pass-wash', shape: 'M3.5 8.5 6.8 12 12.5 4.5' },
  degraded: { label: 'Degraded', ink: 'text-degraded', wash: 'bg-degraded-wash', shape: 'M8 3 14 13.5H2Z M8 7v3' },
  failing: { label: 'Failing', ink: 'text-fail', wash: 'bg-fail-wash', shape: 'M4 4l8 8M12 4l-8 8' },
  unknown: {
    label: 'Not known',
    ink: 'text-unknown',
    wash: 'bg-unknown-wash',
    shape: 'M5.5 6a2.5 2.5 0 1 1 3.6 2.2C8.3 8.7 8 9 8 10M8 12.6v.2',
  },
  paused: { label: 'Paused', ink: 'text-paused', wash: 'bg-sunken', shape: 'M5.5 4v8M10.5 4v8' },
  pending: { label: 'Waiting for its first run', ink: 'text-ink-soft', wash: 'bg-sunken', shape: 'M8 4v4l2.5 2' },
}

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
      className={`size-5 shrink-0 ${stale ? 'text-ink-soft opacity-60' : look.ink}`}
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
  const tone = stale ? 'bg-sunken text-ink-soft' : `${look.wash} ${look.ink}`
  return (
    <span className={`inline-flex items-center gap-1.5 rounded-full py-1 pr-3 pl-2 text-sm font-semibold ${tone}`}>
      <StateIcon state={state} stale={stale} />
      {stale ? `Was ${look.label.toLowerCase()}` : (label ?? look.label)}
    </span>
  )
}
