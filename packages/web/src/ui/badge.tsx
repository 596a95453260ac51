import type { ReactNode } from 'react'

export type BadgeTone = 'pass' | 'degraded' | 'fail' | 'unknown' | 'quiet' | 'accent'

const tones: Record<BadgeTone, string> = {
  pass: 'bg-pass-wash text-pass',
  degraded: 'bg-degraded-wash text-degraded',
  fail: 'bg-fail-wash text-fail',
  unknown: 'bg-unknown-wash text-unknown',
  quiet: 'bg-sunken text-ink-soft',
  accent: 'bg-accent-wash text-accent',
}

/** A condition in one or two words. Colour repeats what the words say. */
export function Badge({ tone, icon, children }: { tone: BadgeTone; icon?: ReactNode; children: ReactNode }) {
  return (
    <span
      className={`inline-flex h-6 items-center gap-1 rounded-md px-2 text-sm font-medium whitespace-nowrap ${tones[tone]}`}
    >
      {icon}
      {children}
    </span>
  )
}
