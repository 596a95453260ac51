import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { Result } from '../api/types.ts'
import { stateOfResult } from './result-story.tsx'
import { durationText } from './time-text.tsx'

const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

/** Response time of the shown runs; runs that did not pass are points of their own. A table below holds the same numbers. */
export function ResponseChart({ results }: { results: readonly Result[] }) {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = host.current
    if (!element || results.length === 0) return
    const plot = new uPlot(options(element.clientWidth), columns(results), element)
    const resize = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: 220 }))
    resize.observe(element)
    return () => {
      resize.disconnect()
      plot.destroy()
    }
  }, [results])
  if (results.length === 0) return <p className="text-ink-soft">No measured runs in this range yet.</p>
  return <div ref={host} role="img" aria-label={chartSentence(results)} className="h-[220px] w-full overflow-hidden" />
}

function columns(results: readonly Result[]): uPlot.AlignedData {
  const ordered = results.toSorted((a, b) => Date.parse(a.dueAt) - Date.parse(b.dueAt))
  return [
    ordered.map((result) => Date.parse(result.dueAt) / 1000),
    ordered.map((result) => (stateOfResult(result) === 'passing' ? result.responseTime : null)),
    ordered.map((result) => (stateOfResult(result) === 'passing' ? null : (result.responseTime ?? 0))),
  ]
}

function options(width: number): uPlot.Options {
  const axis = {
    stroke: token('--ink-soft'),
    grid: { stroke: token('--line'), width: 1 },
    ticks: { stroke: token('--line') },
  }
  return {
    width,
    height: 220,
    legend: { show: false },
    cursor: { y: false },
    scales: { y: { range: (_plot, _min, max) => [0, Math.max(10, max * 1.1)] } },
    axes: [axis, { ...axis, size: 70, values: (_plot, ticks) => ticks.map((ms) => durationText(ms)) }],
    series: [
      {},
      { label: 'Passed', stroke: token('--pass'), width: 1.5, spanGaps: true, points: { size: 4 } },
      { label: 'Not passed', stroke: token('--fail'), width: 0, points: { size: 9, fill: token('--fail') } },
    ],
  }
}

function chartSentence(results: readonly Result[]): string {
  const times = results
    .flatMap((result) => (result.responseTime === null ? [] : [result.responseTime]))
    .toSorted((a, b) => a - b)
  const middle = times[Math.floor(times.length / 2)]
  return `Response time of ${results.length} runs, median ${middle === undefined ? 'not measured' : durationText(middle)}`
}
