import type { CheckHistory } from '@vedette/wire'
import type { ReactNode } from 'react'
import { useZone } from '../../../app/reader-choices.ts'
import { absoluteTime, durationText } from '../../time/format-time.ts'
import { bucketAt } from './chart-data.ts'

/** Where the pointer is over the chart. */
export interface Pointed {
  /** Epoch seconds. */
  seconds: number
  /** Pixels from the left edge of the chart. */
  left: number
  /** It is in the right half of the chart. */
  isRight: boolean
}

/** The numbers under the pointer. */
export function ChartTip({ pointed, history }: { pointed: Pointed; history: CheckHistory }) {
  const utc = useZone() === 'utc'
  const rows = history.locations.flatMap((location) => {
    const bucket = bucketAt(history, location, pointed.seconds)
    return bucket === undefined ? [] : [{ location, bucket }]
  })
  if (rows.length === 0) return null
  return (
    <TipBox pointed={pointed} title={absoluteTime(Date.parse(rows[0]?.bucket.at ?? history.from), utc)}>
      {rows.map(({ location, bucket }) => (
        <p key={location} className="flex justify-between gap-3">
          <span className="truncate text-ink-soft">{location}</span>
          <span className="whitespace-nowrap">
            {bucket.p50 === null ? 'none' : durationText(bucket.p50)}
            {bucket.runs > 1 && bucket.p95 !== null && ` · p95 ${durationText(bucket.p95)}`}
            {bucket.degraded > 0 && <span className="font-medium text-degraded"> · {bucket.degraded} degraded</span>}
            {bucket.failed > 0 && <span className="font-medium text-fail"> · {bucket.failed} failed</span>}
          </span>
        </p>
      ))}
    </TipBox>
  )
}

/** Beside the pointer, on the side with more room, and never beyond the edges of the chart. */
export function TipBox({ pointed, title, children }: { pointed: Pointed; title: string; children: ReactNode }) {
  const { left, isRight } = pointed
  const place = isRight ? `max(0px, ${left - 12}px - 14rem)` : `min(${left + 12}px, 100% - 14rem)`
  return (
    <div
      className="pointer-events-none absolute top-2 z-1 w-56 rounded-lg border border-line bg-surface p-2 text-sm shadow-floating"
      style={{ left: place }}
    >
      <p className="mb-1 font-medium">{title}</p>
      {children}
    </div>
  )
}
