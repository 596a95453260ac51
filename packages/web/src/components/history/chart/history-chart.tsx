import type { CheckHistory, CheckPhases } from '@vedette/wire'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useZone } from '../../../app/reader-choices.ts'
import { useTheme } from '../../../app/theme.ts'
import { durationText } from '../../time/format-time.ts'
import { chartData, holds } from './chart-data.ts'
import { BandLegend, LineLegend } from './chart-legend.tsx'
import { ChartTable } from './chart-table.tsx'
import { ChartTip, type Pointed } from './chart-tip.tsx'
import { drawPlot } from './draw-plot.ts'
import { chartHeight, chartOptions, limitsInSight, type Limits } from './chart-options.ts'
import { PhaseLegend, PhaseTable, PhaseTip, phasesSentence } from './phase-parts.tsx'
import { plottedLines, plottedPhases } from './plotted.ts'

interface Props {
  history: CheckHistory
  /** Draws these phases instead of the response times of each location. */
  phases?: CheckPhases | undefined
  /** Response times above which a run is degraded or fails, in milliseconds. */
  limits: Limits
  /** A span was drawn with the pointer, epoch seconds. */
  onZoom: (from: number, to: number) => void
  /** A bucket was clicked: its start and its end, epoch milliseconds. */
  onOpen: (from: number, to: number) => void
}

/** Response times of each location or phases over the range, with what was wrong behind them. A table shows the same numbers. */
export function HistoryChart({ history, phases, limits, onZoom, onOpen }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const [pointed, setPointed] = useState<Pointed>()
  const data = useMemo(() => chartData(history), [history])
  const plotted = useMemo(() => (phases ? plottedPhases(phases) : plottedLines(data)), [data, phases])
  const theme = useTheme()
  const utc = useZone() === 'utc'
  const on = useRef({ onZoom, onOpen })
  useEffect(() => {
    on.current = { onZoom, onOpen }
  })
  const { degraded, failing } = limitsInSight(plotted, limits)
  useEffect(() => {
    const element = host.current
    if (!element || plotted.columns[0].length === 0) return
    const openAt = (seconds: number) => {
      const bucket = history.buckets.find((each) => holds(each, history.bucketMs, seconds))
      if (bucket) on.current.onOpen(Date.parse(bucket.at), Date.parse(bucket.at) + history.bucketMs)
    }
    const options = (width: number) =>
      chartOptions({
        history,
        plotted,
        limits: { degraded, failing },
        width,
        utc,
        onPoint: setPointed,
        onZoom: (from, to) => on.current.onZoom(from, to),
        onClick: openAt,
      })
    const remove = drawPlot(element, options, plotted.columns)
    return () => {
      remove()
      setPointed(undefined)
    }
  }, [history, plotted, degraded, failing, utc, theme])
  if (plotted.columns[0].length === 0)
    return <p className="py-10 text-center text-ink-soft">Nothing was measured in this range.</p>
  return (
    <>
      <div className="relative">
        <div
          ref={host}
          role="img"
          aria-label={phases ? phasesSentence(phases) : chartSentence(history)}
          className="w-full cursor-crosshair overflow-hidden"
          style={{ height: chartHeight }}
        />
        {pointed &&
          (phases ? <PhaseTip pointed={pointed} phases={phases} /> : <ChartTip pointed={pointed} history={history} />)}
      </div>
      <p aria-hidden="true" className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-sm text-ink-soft">
        {phases ? <PhaseLegend phases={phases} /> : <LineLegend lines={data.lines} history={history} />}
        <BandLegend history={history} limits={limits} inSight={{ degraded, failing }} />
      </p>
      {phases ? <PhaseTable phases={phases} /> : <ChartTable history={history} />}
    </>
  )
}

function chartSentence({ summary }: CheckHistory): string {
  const median = summary.p50 === null ? 'not measured' : durationText(summary.p50)
  return `Response time of ${summary.runs} runs, median ${median}, ${summary.failed} failed`
}
