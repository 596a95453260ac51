import type { StripRun } from '@vedette/wire'

type Look = 'pass' | 'degraded' | 'fail' | 'unknown'

/** The bars of a strip as SVG paths, one for each look, so that a row costs a handful of elements. */
export interface StripShape {
  bars: Partial<Record<Look, string>>
  /** Marks below runs that needed a retry. */
  retries: string
  /** Stretches in which a run was due and none is known. */
  gaps: { x: number; width: number }[]
}

interface Size {
  width: number
  height: number
}

const notch = 2.5
/** Runs that started this many periods apart have a gap between them. */
const gapPeriods = 2.5

/**
 * The runs on a time axis, oldest left. Height is response time; runs that did not pass have the full height, whatever time
 * they took, so that they are seen without colour.
 */
export function stripShape(runs: readonly StripRun[], periodMs: number | null, size: Size): StripShape {
  const axis = axisOf(runs, size)
  const slowest = Math.max(1, ...runs.map(({ ms }) => ms ?? 0))
  const room = size.height - notch - 1
  const bars: Partial<Record<Look, string>> = {}
  let retries = ''
  for (const run of runs) {
    const look = lookOf(run)
    const x = axis.xOf(run)
    const tall = room * heightOf(run, slowest)
    bars[look] = (bars[look] ?? '') + rectangle(x, room - tall, axis.bar, tall)
    if (run.retries > 0) retries += rectangle(x, room + 1, axis.bar, notch)
  }
  return { bars, retries, gaps: periodMs === null ? [] : gapsOf(runs, periodMs, axis) }
}

interface Axis {
  xOf: (run: StripRun) => number
  /** Width of a bar. */
  bar: number
}

/** Fewer runs than this have bars as narrow as if they were so many. */
const leastRuns = 20

function axisOf(runs: readonly StripRun[], { width }: Size): Axis {
  const [first, last] = [timeOf(runs[0]), timeOf(runs.at(-1))]
  const bar = Math.max(1.5, Math.min(6, (width / Math.max(runs.length, leastRuns)) * 0.72))
  const scale = (width - bar) / (last - first)
  return { bar, xOf: (run) => (last > first ? (timeOf(run) - first) * scale : width - bar) }
}

const timeOf = (run: StripRun | undefined): number => (run === undefined ? 0 : Date.parse(run.at))

/** Share of the height: what did not pass is highest, whatever time it took. */
function heightOf(run: StripRun, slowest: number): number {
  if (run.outcome !== 'pass') return 1
  return run.degraded ? 0.9 : 0.25 + 0.55 * ((run.ms ?? 0) / slowest)
}

function gapsOf(runs: readonly StripRun[], periodMs: number, { xOf, bar }: Axis): StripShape['gaps'] {
  return runs.slice(1).flatMap((run, index) => {
    const before = runs[index]
    if (before === undefined || timeOf(run) - timeOf(before) <= gapPeriods * periodMs) return []
    const x = xOf(before) + bar
    return [{ x, width: Math.max(0, xOf(run) - x) }]
  })
}

const rectangle = (x: number, y: number, width: number, height: number): string =>
  `M${fixed(x)} ${fixed(y)}h${fixed(width)}v${fixed(height)}h-${fixed(width)}z`

const lookOf = (run: StripRun): Look => (run.outcome === 'pass' && run.degraded ? 'degraded' : run.outcome)

const fixed = (value: number): string => String(Math.round(value * 10) / 10)

/** The same in one sentence, for screen readers. */
export function stripSentence(runs: readonly StripRun[]): string {
  if (runs.length === 0) return 'No runs yet'
  const parts = (['fail', 'degraded', 'unknown', 'pass'] as const).flatMap((look) => {
    const count = runs.filter((run) => lookOf(run) === look).length
    return count === 0 ? [] : [`${count} ${words[look]}`]
  })
  const retried = runs.filter(({ retries }) => retries > 0).length
  return `Last ${runs.length} ${runs.length === 1 ? 'run' : 'runs'}: ${parts.join(', ')}${retried === 0 ? '' : `; ${retried} needed a retry`}`
}

const words: Record<Look, string> = { fail: 'failed', degraded: 'degraded', unknown: 'not known', pass: 'passed' }
