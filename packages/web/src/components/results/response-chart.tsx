import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { ListedResult } from '../../api/listed-results.ts'
import { useTheme } from '../../app/theme.ts'
import { useZone } from '../../app/reader-choices.ts'
import { stateOfResult } from './result-story.tsx'
import { resultLabels } from '../checks/state-mark.tsx'
import { Moment } from '../basics/time-text.tsx'
import { durationText } from '../basics/format-time.ts'

const height = 220
const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

/** Response times of the last runs; runs that did not pass are separate points. A table shows the same numbers. */
export function ResponseChart({ results }: { results: readonly ListedResult[] }) {
  const host = useRef<HTMLDivElement>(null)
  const theme = useTheme()
  const utc = useZone() === 'utc'
  useEffect(() => {
    const element = host.current
    if (!element || results.length === 0) return
    const plot = new uPlot(options(element.clientWidth, utc), columns(results), element)
    const resize = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    resize.observe(element)
    return () => {
      resize.disconnect()
      plot.destroy()
    }
  }, [results, utc, theme])
  if (results.length === 0) return <p className="text-ink-soft">No measured runs in this range yet.</p>
  return (
    <>
      <div ref={host} role="img" aria-label={chartSentence(results)} className="h-[220px] w-full overflow-hidden" />
      <p aria-hidden="true" className="mt-1 flex gap-4 text-sm text-ink-soft">
        <span className="flex items-center gap-1.5">
          <span className="h-0.5 w-4 bg-pass" /> passed
        </span>
        <span className="flex items-center gap-1.5">
          <span className="size-2.5 rounded-full bg-fail" /> not passed
        </span>
      </p>
      <ChartTable results={results} />
    </>
  )
}

function ChartTable({ results }: { results: readonly ListedResult[] }) {
  return (
    <details className="mt-1">
      <summary className="min-h-11 cursor-pointer py-2.5 font-semibold">The same as a table</summary>
      <div className="max-h-96 overflow-y-auto" tabIndex={0} role="region" aria-label="Response times">
        <table className="w-full text-sm">
          <thead>
            <tr className="text-left text-ink-soft">
              <th scope="col">Time</th>
              <th scope="col">Location</th>
              <th scope="col">Outcome</th>
              <th scope="col" className="text-right">
                Response time
              </th>
            </tr>
          </thead>
          <tbody>
            {results.map((result) => (
              <tr key={result.id} className="border-t border-line">
                <td className="py-1 pr-2">
                  <Moment at={result.startedAt ?? result.dueAt} />
                </td>
                <td className="pr-2">{result.runLocation}</td>
                <td className="pr-2">{resultLabels[stateOfResult(result)]}</td>
                <td className="text-right">
                  {result.responseTime === null ? 'none' : durationText(result.responseTime)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

function columns(results: readonly ListedResult[]): uPlot.AlignedData {
  const ordered = results.toSorted((a, b) => Date.parse(a.dueAt) - Date.parse(b.dueAt))
  return [
    ordered.map((result) => Date.parse(result.dueAt) / 1000),
    ordered.map((result) => (stateOfResult(result) === 'passing' ? result.responseTime : null)),
    ordered.map((result) => (stateOfResult(result) === 'passing' ? null : (result.responseTime ?? 0))),
  ]
}

/** Shortest axis in seconds, so that a few runs are not stretched over the whole width. */
const shortestSpan = 600
const dayInSeconds = 86_400
/** Seconds between labels: whole minutes, because labels show no seconds. */
const tickSteps = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 10_080, 43_200].map(
  (minutes) => minutes * 60,
)

function options(width: number, utc: boolean): uPlot.Options {
  const axis = {
    stroke: token('--ink-soft'),
    grid: { stroke: token('--line'), width: 1 },
    ticks: { stroke: token('--line') },
  }
  return {
    width,
    height,
    padding: [12, 28, 0, 0],
    legend: { show: false },
    cursor: { y: false },
    ...(utc && { tzDate: (seconds: number) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC') }),
    scales: {
      x: { range: (_plot, min, max) => [Math.min(min, max - shortestSpan), max] },
      y: { range: (_plot, _min, max) => [0, Math.max(10, max * 1.1)] },
    },
    axes: [
      {
        ...axis,
        incrs: tickSteps,
        values: (_plot, ticks) => ticks.map(tickText((ticks.at(-1) ?? 0) - (ticks[0] ?? 0), utc)),
      },
      { ...axis, size: 70, values: (_plot, ticks) => ticks.map((ms) => durationText(ms)) },
    ],
    // By default uPlot drops points that stand close together, failures included.
    series: [
      {},
      { label: 'Passed', stroke: token('--pass'), width: 1.5, spanGaps: true, points: { show: true, size: 4 } },
      {
        label: 'Not passed',
        stroke: token('--fail'),
        width: 0,
        points: { show: true, size: 9, fill: token('--fail') },
      },
    ],
  }
}

/** Hours and minutes within a day, dates beyond. */
function tickText(spanSeconds: number, utc: boolean): (seconds: number) => string {
  const format = new Intl.DateTimeFormat(undefined, {
    ...(spanSeconds > 2 * dayInSeconds
      ? { month: 'short', day: 'numeric' }
      : { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    ...(utc && { timeZone: 'UTC' }),
  })
  return (seconds) => format.format(seconds * 1000)
}

function chartSentence(results: readonly ListedResult[]): string {
  const times = results
    .flatMap((result) => (result.responseTime === null ? [] : [result.responseTime]))
    .toSorted((a, b) => a - b)
  const middle = times[Math.floor(times.length / 2)]
  return `Response time of ${results.length} runs, median ${middle === undefined ? 'not measured' : durationText(middle)}`
}
