import type { CheckHistory } from '@vedette/wire'
import type uPlot from 'uplot'
import { durationText } from '../../time/format-time.ts'
import { mergedSpans } from './chart-data.ts'
import type { Plotted } from './plotted.ts'
import type { Pointed } from './chart-tip.tsx'

export const chartHeight = 240

const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()
/** Clicks move the pointer by a pixel or two. */
const dragPixels = 6
const dayInSeconds = 86_400
/** Seconds between labels: whole minutes, because labels show no seconds. */
const tickSteps = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880].map((minutes) => minutes * 60)

/** Response times above which a run is degraded or fails, in milliseconds. */
export interface Limits {
  degraded: number | null
  failing: number | null
}

interface Wanted {
  history: CheckHistory
  plotted: Plotted
  limits: Limits
  width: number
  utc: boolean
  onPoint: (pointed: Pointed | undefined) => void
  onZoom: (from: number, to: number) => void
  onClick: (seconds: number) => void
}

export function chartOptions({
  history,
  plotted,
  limits,
  width,
  utc,
  onPoint,
  onZoom,
  onClick,
}: Wanted): uPlot.Options {
  const { from, to } = shownSpan(history)
  return {
    width,
    height: chartHeight,
    padding: [12, 24, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { size: 7 }, drag: { x: true, y: false, setScale: false, dist: dragPixels } },
    ...zoneOf(utc),
    scales: {
      x: { range: () => [from, to] },
      y: { range: (_plot, _min, max) => [0, topOf(max)] },
    },
    axes: [
      timeAxis(to - from, utc),
      { ...axisLook(), size: 64, values: (_plot, ticks) => ticks.map((ms) => durationText(ms)) },
    ],
    series: [{}, ...plotted.series],
    hooks: {
      drawClear: [(plot) => drawSpans(plot, history)],
      draw: [(plot) => drawMarks(plot, history, limits)],
      ...pointerHooks({ onPoint, onZoom, onClick }),
    },
  }
}

/** How every axis looks. */
export const axisLook = (): uPlot.Axis => ({
  stroke: token('--ink-soft'),
  font: '12px Inter, sans-serif',
  grid: { stroke: token('--line'), width: 1 },
  ticks: { show: false },
})

/** The axis of time of a chart over so many seconds. */
export const timeAxis = (spanSeconds: number, utc: boolean): uPlot.Axis => ({
  ...axisLook(),
  incrs: tickSteps,
  values: (_plot, ticks) => ticks.map(tickText(spanSeconds, utc)),
})

/** Has the ticks of time fall on full hours of the reader's zone. */
export const zoneOf = (utc: boolean): Pick<uPlot.Options, 'tzDate'> =>
  utc ? { tzDate: (seconds) => new Date(seconds * 1000 + new Date(seconds * 1000).getTimezoneOffset() * 60_000) } : {}

/** Where the scale ends when the highest value is this, in milliseconds. */
const topOf = (highest: number): number => Math.max(10, highest * 1.12)

/** The limits that lie within the scale. */
export function limitsInSight({ columns: [, ...values] }: Pick<Plotted, 'columns'>, limits: Limits): Limits {
  const top = topOf(values.flatMap((column) => [...column]).reduce<number>((most, ms) => Math.max(most, ms ?? 0), 0))
  const inSight = (limit: number | null) => (limit !== null && limit <= top ? limit : null)
  return { degraded: inSight(limits.degraded), failing: inSight(limits.failing) }
}

/** Where the pointer is over the chart; undefined while it is elsewhere. */
export function pointedOn(plot: uPlot): Pointed | undefined {
  const [seconds, { left = -1 }] = [secondsAt(plot), plot.cursor]
  if (seconds === undefined || left < 0) return undefined
  return { seconds, left: left + plot.bbox.left / devicePixelRatio, isRight: left > plot.over.clientWidth / 2 }
}

/** What the pointer does. */
function pointerHooks({
  onPoint,
  onZoom,
  onClick,
}: Pick<Wanted, 'onPoint' | 'onZoom' | 'onClick'>): uPlot.Hooks.Arrays {
  return {
    setCursor: [(plot) => onPoint(pointedOn(plot))],
    setSelect: [
      (plot) => {
        if (plot.select.width < dragPixels) return
        const [start, end] = [plot.select.left, plot.select.left + plot.select.width]
        onZoom(Math.floor(plot.posToVal(start, 'x')), Math.ceil(plot.posToVal(end, 'x')))
      },
    ],
    ready: [
      (plot) => {
        plot.over.addEventListener('click', () => {
          const seconds = secondsAt(plot)
          if (seconds !== undefined && plot.select.width < dragPixels) onClick(seconds)
        })
      },
    ],
  }
}

/** The time of the column under the pointer. */
function secondsAt({ cursor: { idx }, data }: uPlot): number | undefined {
  return idx === null || idx === undefined ? undefined : data[0][idx]
}

/** Shortest axis in seconds, so that a few runs are not stretched over the whole width. */
const shortestSpan = 900

/** The range; of a check that is younger than it, the part since its first run, epoch seconds. */
export function shownSpan({ from, to, buckets, spans }: Pick<CheckHistory, 'from' | 'to' | 'buckets' | 'spans'>): {
  from: number
  to: number
} {
  const [start, end] = [Date.parse(from) / 1000, Date.parse(to) / 1000]
  const first =
    Math.min(...buckets.map(({ at }) => Date.parse(at)), ...spans.map((span) => Date.parse(span.from))) / 1000
  if (!Number.isFinite(first)) return { from: start, to: end }
  const since = Math.min(first - 0.05 * (end - first), end - shortestSpan)
  return { from: since > start + 0.3 * (end - start) ? since : start, to: end }
}

const bandLooks = { failing: '--fail-bar', degraded: '--degraded-bar', 'not-watched': '--line-strong' } as const
const bandStrength = { failing: 0.28, degraded: 0.28, 'not-watched': 0.22 } as const

/** What was wrong, as bands behind the lines. Not watched is hatched. */
function drawSpans(plot: uPlot, { spans }: CheckHistory): void {
  const { ctx, bbox } = plot
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  for (const span of mergedSpans(spans)) {
    const left = plot.valToPos(span.from / 1000, 'x', true)
    const right = plot.valToPos(span.to / 1000, 'x', true)
    const width = Math.max(2 * devicePixelRatio, right - left)
    ctx.globalAlpha = bandStrength[span.kind]
    ctx.fillStyle = token(bandLooks[span.kind])
    if (span.kind !== 'not-watched') {
      ctx.fillRect(left, bbox.top, width, bbox.height)
      continue
    }
    for (let x = left; x < left + width; x += 5 * devicePixelRatio)
      ctx.fillRect(x, bbox.top, 2 * devicePixelRatio, bbox.height)
  }
  ctx.restore()
}

/** Thresholds as dotted lines, changes of the check as marks. */
function drawMarks(plot: uPlot, { changes }: CheckHistory, limits: Limits): void {
  const { ctx, bbox } = plot
  ctx.save()
  ctx.lineWidth = devicePixelRatio
  ctx.setLineDash([devicePixelRatio, 3 * devicePixelRatio])
  for (const [limit, colour] of [
    [limits.degraded, '--degraded'],
    [limits.failing, '--fail'],
  ] as const) {
    if (limit === null) continue
    const y = plot.valToPos(limit, 'y', true)
    ctx.strokeStyle = token(colour)
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
  }
  ctx.setLineDash([])
  ctx.strokeStyle = token('--accent')
  for (const { at } of changes) {
    const x = plot.valToPos(Date.parse(at) / 1000, 'x', true)
    if (x < bbox.left) continue
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
  }
  ctx.restore()
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
