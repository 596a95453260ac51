import { useQuery } from '@tanstack/react-query'
import type { PrivateLocationMetrics } from '@vedette/wire'
import { call } from '../../api/client.ts'
import { Fault } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { durationText } from '../time/format-time.ts'
import { serverNow } from '../time/time-text.tsx'

const hoursShown = 3
const [width, height] = [360, 48]

/** How the queue of a private location went: whether its agents keep up. */
export function QueueFigures({ id }: { id: string }) {
  const metrics = useQuery({
    queryKey: ['private-locations', id, 'metrics'],
    queryFn: () => {
      const to = Math.ceil(serverNow() / 1000) + 1
      const range = `from=${to - hoursShown * 3600}&to=${to}`
      return call<PrivateLocationMetrics>('GET', `/v1/private-locations/${id}/metrics?${range}`)
    },
    refetchInterval: 60_000,
  })
  return (
    <section aria-labelledby={`queue-${id}`}>
      <h3 id={`queue-${id}`} className="mb-1 text-sm font-semibold">
        Queue of the last {hoursShown} hours
      </h3>
      {metrics.isError && <Fault text={metrics.error.message} onRetry={() => void metrics.refetch()} />}
      {metrics.isPending && <Skeleton label="Reading the queue" />}
      {metrics.data && <Queue metrics={metrics.data} />}
    </section>
  )
}

function Queue({ metrics: { timestamps, queueSize, oldestScheduledCheckRun } }: { metrics: PrivateLocationMetrics }) {
  if (timestamps.length === 0) return <p className="text-sm text-ink-soft">The first figures come within a minute.</p>
  const most = Math.max(...queueSize)
  const longest = Math.max(...oldestScheduledCheckRun)
  const now = queueSize.at(-1) ?? 0
  return (
    <>
      {most > 0 && <QueueLine sizes={queueSize} most={most} />}
      <p className="text-sm text-ink-soft">
        {most === 0
          ? 'No run had to wait for an agent.'
          : `${now === 0 ? 'No run waits' : now === 1 ? '1 run waits' : `${now} runs wait`} now; at most ${most} waited at once, and the longest wait was ${durationText(longest * 1000)}. Where runs keep waiting, start another agent.`}
      </p>
    </>
  )
}

/** Runs that waited, minute by minute. The text below it says the same in figures. */
function QueueLine({ sizes, most }: { sizes: readonly number[]; most: number }) {
  const step = width / Math.max(sizes.length - 1, 1)
  const points = sizes.map(
    (size, at) => `${(at * step).toFixed(1)},${(height - 2 - (size / most) * (height - 4)).toFixed(1)}`,
  )
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" className="mb-1 h-12 w-full">
      <polyline
        points={points.join(' ')}
        fill="none"
        className="stroke-accent"
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}
