import type { PrivateLocationMetrics } from '@vedette/wire'
import { useEffect, useMemo, useRef, useState } from 'react'
import type uPlot from 'uplot'
import { useZone } from '../../app/reader-choices.ts'
import { useTheme } from '../../app/theme.ts'
import { lineLooks } from '../history/chart/chart-colours.ts'
import { axisLook, pointedOn, timeAxis, zoneOf } from '../history/chart/chart-options.ts'
import { NumbersTable } from '../history/chart/chart-table.tsx'
import { TipBox, type Pointed } from '../history/chart/chart-tip.tsx'
import { drawPlot } from '../history/chart/draw-plot.ts'
import { absoluteTime, durationText } from '../time/format-time.ts'
import { Moment } from '../time/time-text.tsx'

const height = 200
/** Shortest axis in seconds, so that a few minutes are not stretched over the whole width. */
const shortestSpan = 900
/** Rows of the table: more minutes would be no table to read. */
const rowsShown = 500

/** Runs that waited for an agent, and how long the oldest had waited. A table shows the same numbers. */
export function QueueChart({ metrics }: { metrics: PrivateLocationMetrics }) {
  const host = useRef<HTMLDivElement>(null)
  const [pointed, setPointed] = useState<Pointed>()
  const theme = useTheme()
  const utc = useZone() === 'utc'
  const columns = useMemo(() => columnsOf(metrics), [metrics])
  useEffect(() => {
    if (!host.current) return
    const remove = drawPlot(host.current, (width) => optionsOf({ columns, width, utc, onPoint: setPointed }), columns)
    return () => {
      remove()
      setPointed(undefined)
    }
  }, [columns, utc, theme])
  return (
    <>
      <div className="relative">
        <div
          ref={host}
          role="img"
          aria-label={sentenceOf(metrics)}
          className="w-full overflow-hidden"
          style={{ height }}
        />
        {pointed && <QueueTip pointed={pointed} metrics={metrics} columns={columns} />}
      </div>
      <p aria-hidden="true" className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-sm text-ink-soft">
        <LineSign at={0} label="runs waiting" />
        <LineSign at={1} label="wait of the oldest" />
      </p>
      <NumbersTable
        caption="Queue by minute"
        columns={[{ label: 'At' }, { label: 'Runs waiting', isNumber: true }, { label: 'Oldest', isNumber: true }]}
        rows={() =>
          metrics.timestamps
            .map((at, minute) => ({
              key: at,
              cells: [
                <span key="at" className="whitespace-nowrap">
                  <Moment at={at} />
                </span>,
                metrics.queueSize[minute] ?? 0,
                durationText((metrics.oldestScheduledCheckRun[minute] ?? 0) * 1000),
              ],
            }))
            .toReversed()
            .slice(0, rowsShown)
        }
      />
    </>
  )
}

function LineSign({ at, label }: { at: number; label: string }) {
  const look = lineLooks[at]
  return (
    <span className="flex items-center gap-1.5">
      <svg viewBox="0 0 20 4" className="h-1 w-5">
        <path d="M0 2h20" stroke={look?.colour} strokeWidth="2" strokeDasharray={look?.dash.join(' ')} />
      </svg>
      {label}
    </span>
  )
}

type Columns = [number[], number[], number[]]

/** Times in epoch seconds, runs, and waits in milliseconds. */
const columnsOf = ({ timestamps, queueSize, oldestScheduledCheckRun }: PrivateLocationMetrics): Columns => [
  timestamps.map((at) => Date.parse(at) / 1000),
  queueSize,
  oldestScheduledCheckRun.map((seconds) => seconds * 1000),
]

interface Wanted {
  columns: Columns
  width: number
  utc: boolean
  onPoint: (pointed: Pointed | undefined) => void
}

function optionsOf({ columns: [times], width, utc, onPoint }: Wanted): uPlot.Options {
  const span = Math.max(shortestSpan, (times.at(-1) ?? 0) - (times[0] ?? 0))
  const line = (at: number, scale: string): uPlot.Series => ({
    scale,
    stroke: lineLooks[at]?.colour ?? 'gray',
    dash: [...(lineLooks[at]?.dash ?? [])],
    width: 1.5,
    points: { show: times.length === 1 },
  })
  return {
    width,
    height,
    padding: [12, 0, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    ...zoneOf(utc),
    scales: {
      x: { range: (_plot, min, max) => [Math.min(min, max - shortestSpan), max] },
      runs: { range: (_plot, _min, max) => [0, Math.max(4, max * 1.12)] },
      wait: { range: (_plot, _min, max) => [0, Math.max(10_000, max * 1.12)] },
    },
    axes: [
      timeAxis(span, utc),
      { ...axisLook(), scale: 'runs', size: 48, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000] },
      {
        ...axisLook(),
        scale: 'wait',
        side: 1,
        size: 64,
        grid: { show: false },
        values: (_plot, ticks) => ticks.map((ms) => durationText(ms)),
      },
    ],
    series: [{}, line(0, 'runs'), line(1, 'wait')],
    hooks: { setCursor: [(plot) => onPoint(pointedOn(plot))] },
  }
}

interface TipProps {
  pointed: Pointed
  metrics: PrivateLocationMetrics
  columns: Columns
}

function QueueTip({ pointed, metrics, columns: [times, runs, waits] }: TipProps) {
  const utc = useZone() === 'utc'
  const at = times.indexOf(pointed.seconds)
  if (at < 0) return null
  return (
    <TipBox pointed={pointed} title={absoluteTime(Date.parse(metrics.timestamps[at] ?? ''), utc)}>
      <p>
        {runs[at] === 1 ? '1 run' : `${runs[at]} runs`} waiting
        {(runs[at] ?? 0) > 0 && `, the oldest for ${durationText(waits[at] ?? 0)}`}
      </p>
    </TipBox>
  )
}

function sentenceOf({ queueSize, oldestScheduledCheckRun }: PrivateLocationMetrics): string {
  const longest = Math.max(0, ...oldestScheduledCheckRun)
  return `At most ${Math.max(0, ...queueSize)} runs waited at once, the longest for ${durationText(longest * 1000)}`
}
