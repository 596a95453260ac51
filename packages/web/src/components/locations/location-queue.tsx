import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { PrivateLocationMetrics } from '@vedette/wire'
import { useState } from 'react'
import { ToggleChip } from '../../ui/chip.tsx'
import { Fault, Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { durationText } from '../time/format-time.ts'
import { queueQuery } from './private-locations-query.ts'
import { QueueChart } from './queue-chart.tsx'

const ranges = [
  { label: '3 h', hours: 3 },
  { label: '24 h', hours: 24 },
  { label: '15 d', hours: 15 * 24 },
] as const

/** How the queue of a private location went: whether its agents keep up. */
export function LocationQueue({ id }: { id: string }) {
  const [hours, setHours] = useState<number>(3)
  const metrics = useQuery({ ...queueQuery(id, hours), placeholderData: keepPreviousData })
  const bar = (
    <div role="group" aria-label="Range" className="flex gap-1">
      {ranges.map((range) => (
        <ToggleChip key={range.hours} isOn={range.hours === hours} onClick={() => setHours(range.hours)}>
          {range.label}
        </ToggleChip>
      ))}
    </div>
  )
  return (
    <Panel title="Queue" aside={bar}>
      {metrics.isError && <Fault text={metrics.error.message} onRetry={() => void metrics.refetch()} />}
      {metrics.isPending && <Skeleton label="Reading the queue" lines={6} />}
      {metrics.data && (
        <>
          <p className="mb-2 text-ink-soft">{queueText(metrics.data)}</p>
          {metrics.data.timestamps.length > 0 && <QueueChart metrics={metrics.data} />}
        </>
      )}
    </Panel>
  )
}

function queueText({ timestamps, queueSize, oldestScheduledCheckRun }: PrivateLocationMetrics): string {
  if (timestamps.length === 0) return 'The first figures come within a minute.'
  const most = Math.max(...queueSize)
  if (most === 0) return 'No run had to wait for an agent.'
  const now = queueSize.at(-1) ?? 0
  const oldest = durationText((oldestScheduledCheckRun.at(-1) ?? 0) * 1000)
  const atLast =
    now === 0
      ? 'No run waits'
      : now === 1
        ? `1 run waits, for ${oldest},`
        : `${now} runs wait, the oldest for ${oldest},`
  const longest = durationText(Math.max(...oldestScheduledCheckRun) * 1000)
  return `${atLast} now; at most ${most} waited at once, and the longest wait was ${longest}. Where runs keep waiting, start another agent.`
}
