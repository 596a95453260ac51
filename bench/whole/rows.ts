import { figure, type BenchRow } from '../row.ts'
import { median } from '../readings/statistics.ts'
import type { LoadReading } from './load.ts'
import { loadMetrics, marginalCpu, type LoadMetric } from './metrics.ts'

/** A subject, and its readings from the lowest load to the highest. */
export interface Measured {
  name: string
  loads: LoadReading[]
}

type Goals = Pick<LoadMetric, 'name' | 'unit' | 'goal' | 'goalOfBaseline'>

const marginal = (lower: LoadReading, higher: LoadReading): Goals => ({
  name: `CPU of one more run, ${lower.runsPerSecond} → ${higher.runsPerSecond} runs/s`,
  unit: 'ms',
  goal: 0.75,
  goalOfBaseline: 0.75,
})

/** A figure of several measurements: their median and spread. */
export const plain = (name: string, unit: string, values: readonly number[]): BenchRow => ({
  ...figure('whole', name, median(values), unit),
  ...(values.length > 1 && { spread: [Math.min(...values), Math.max(...values)] as const }),
})

/** What stands before the figures of a load. */
export const at = (load: LoadReading): string => `${load.runsPerSecond} runs/s: `

/** The figures of a subject alone, with the goals. */
export function rowsAlone({ loads }: Measured): BenchRow[] {
  const rows = loads.flatMap((load) =>
    metricsOf(load, false).flatMap((metric) => aloneRow(at(load), metric, metric.values(load))),
  )
  return [...rows, ...pairs(loads).flatMap(([low, high]) => aloneRow('', marginal(low, high), marginalCpu(low, high)))]
}

function aloneRow(prefix: string, { name, unit, goal }: Goals, values: readonly number[]): BenchRow[] {
  if (values.length === 0) return []
  const row = plain(`${prefix}${name}`, unit, values)
  return [goal === undefined ? row : { ...row, goal: `≤ ${goal} ${unit}`, met: row.value <= goal }]
}

/** The figures of both, and the first as a multiple of the second. */
export function rowsBeside(ours: Measured, other: Measured): BenchRow[] {
  const rows = ours.loads.flatMap((load, n) => {
    const otherLoad = other.loads[n]
    if (otherLoad === undefined) return []
    return metricsOf(load, true).flatMap((metric) =>
      besideRows(at(load), metric, [ours.name, metric.values(load)], [other.name, metric.values(otherLoad)]),
    )
  })
  const otherPairs = pairs(other.loads)
  const marginals = pairs(ours.loads).flatMap(([low, high], n) => {
    const [otherLow, otherHigh] = otherPairs[n] ?? []
    if (otherLow === undefined || otherHigh === undefined) return []
    const theirs = marginalCpu(otherLow, otherHigh)
    return besideRows('', marginal(low, high), [ours.name, marginalCpu(low, high)], [other.name, theirs])
  })
  return [...rows, ...marginals]
}

type Named = readonly [name: string, values: readonly number[]]

function besideRows(prefix: string, { name, unit, goalOfBaseline }: Goals, ours: Named, other: Named): BenchRow[] {
  const rows = [ours, other].flatMap(([subject, values]) =>
    values.length === 0 ? [] : [plain(`${prefix}${name}, ${subject}`, unit, values)],
  )
  const [first, second] = rows
  if (first === undefined || second === undefined) return rows
  const ratio = first.value / second.value
  const compared = { ...first, against: other[0], ratio }
  if (goalOfBaseline === undefined || other[0] !== baselineName) return [compared, second]
  return [{ ...compared, goal: `≤ ${goalOfBaseline} ×`, met: ratio <= goalOfBaseline }, second]
}

/** The other checkout, which goals of ratios are stated for. */
export const baselineName = 'baseline'

const metricsOf = ({ runsPerSecond }: LoadReading, compares: boolean): LoadMetric[] =>
  loadMetrics.filter((metric) => metric.appliesTo(runsPerSecond) && (compares || metric.comparesOnly !== true))

/** Neighbouring loads at which runs were made. */
const pairs = (loads: readonly LoadReading[]): [LoadReading, LoadReading][] =>
  loads
    .filter(({ runsPerSecond }) => runsPerSecond > 0)
    .flatMap((load, n, running) =>
      n === 0 ? [] : [[running[n - 1] ?? load, load] satisfies [LoadReading, LoadReading]],
    )
