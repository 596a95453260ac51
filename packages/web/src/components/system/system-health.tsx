import type { Agent } from '@vedette/wire'
import { call } from '../../api/client.ts'
import { toggleZone, useZone } from '../../app/reader-choices.ts'
import type { Connection } from '../../live/live-connection.ts'
import { useConnection } from '../../live/live-provider.tsx'

/** Used by the settings page. */
export const agentsQuery = {
  queryKey: ['agents'],
  queryFn: () => call<Agent[]>('GET', '/v1/agents'),
  refetchInterval: 10_000,
} as const

const connections: Record<Connection, { text: string; isTrouble: boolean; dot: string }> = {
  connecting: { text: 'Connecting…', isTrouble: false, dot: 'bg-ink-soft' },
  live: { text: 'Live', isTrouble: false, dot: 'bg-pass' },
  lost: { text: 'Cut off from the server: what you see may be old', isTrouble: true, dot: 'bg-fail' },
}

/** Whether this page is connected to the server. */
export function SystemHealth() {
  const connection = connections[useConnection()]
  const tone = connection.isTrouble ? 'font-semibold text-fail' : 'text-ink-soft'
  return (
    <div className="flex flex-wrap items-center gap-x-4">
      <p role="status" className={`flex min-h-11 items-center gap-2 text-sm ${tone}`}>
        <span aria-hidden="true" className={`size-2.5 shrink-0 rounded-full ${connection.dot}`} />
        {connection.text}
      </p>
      <ZoneSwitch />
    </div>
  )
}

/** Every absolute time of the page in the zone of the device or in UTC. */
function ZoneSwitch() {
  const isUtc = useZone() === 'utc'
  return (
    <button
      type="button"
      aria-pressed={isUtc}
      onClick={toggleZone}
      title="Show times in UTC"
      className="min-h-11 min-w-11 rounded-lg px-2 text-sm text-ink-soft hover:text-ink aria-pressed:font-semibold aria-pressed:text-ink aria-pressed:underline"
    >
      UTC
    </button>
  )
}
