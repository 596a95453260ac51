import { useConnection } from '../live/live-provider.tsx'

const words = {
  connecting: { text: 'Connecting…', tone: 'text-ink-soft', dot: 'bg-ink-soft' },
  live: { text: 'Live', tone: 'text-ink-soft', dot: 'bg-pass' },
  lost: { text: 'Cut off from the server: what you see may be old', tone: 'font-semibold text-fail', dot: 'bg-fail' },
} as const

/** Answers "is it us?": whether this page still hears from the server. */
export function PlaneHealth() {
  const connection = useConnection()
  const { text, tone, dot } = words[connection]
  return (
    <p role="status" className={`flex min-h-11 items-center gap-2 text-sm ${tone}`}>
      <span aria-hidden="true" className={`size-2.5 rounded-full ${dot}`} />
      {text}
    </p>
  )
}
