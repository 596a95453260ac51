import { figure, type BenchRow } from '../row.ts'
import { median, sum } from '../statistics.ts'
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

const plain = (name: string, unit: string, values: readonly number[]): BenchRow => ({
  ...figure('whole', name, median(values), unit),
  ...(values.length > 1 && { spread: [Math.min(...values), Math.max(...values)] as const }),
})

const at = (load: LoadReading): string => `${load.runsPerSecond} runs/s: `

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

/** Where CPU, wake-ups and memory of a subject go, by process and by kind of thread; and what the bench itself used. */
export function detailRows({ name: subject, loads }: Measured): BenchRow[] {
  return loads.flatMap((load) => {
    const row = (name: string, unit: string, values: readonly number[]) => plain(`${at(load)}${name}`, unit, values)
    const { windows } = load
    const perRun = load.runsPerSecond > 0
    const cpu = (ms: number, { runs, seconds }: { runs: number; seconds: number }) => ms / (perRun ? runs : seconds)
    const cpuUnit = perRun ? 'ms/run' : 'ms/s'
    const groups = namesOf(windows.map((window) => window.groups))
    const use = (n: number, name: string) => windows[n]?.groups.find((group) => group.name === name)
    return [
      ...namesOf(windows.map((window) => window.processes)).map((name) =>
        row(
          `CPU of ${subject}, ${name}`,
          cpuUnit,
          windows.map((window) =>
            cpu(
              total(window.processes, name, ({ cpuMs }) => cpuMs),
              window,
            ),
          ),
        ),
      ),
      ...groups.map((name) =>
        row(
          `CPU of ${subject}, ${name}`,
          cpuUnit,
          windows.map((window, n) => cpu(use(n, name)?.cpuMs ?? 0, window)),
        ),
      ),
      ...groups.map((name) =>
        row(
          `wake-ups of ${subject}, ${name}`,
          '1/s',
          windows.map(({ seconds }, n) => (use(n, name)?.wakeUps ?? 0) / seconds),
        ),
      ),
      ...namesOf(load.memory).map((name) =>
        row(
          `memory (PSS) of ${subject}, ${name}`,
          'MB',
          load.memory.map((round) => total(round, name, ({ mb }) => mb)),
        ),
      ),
      row(
        'CPU of other programs of this machine',
        'ms/s',
        windows.map(({ othersMs, seconds }) => othersMs / seconds),
      ),
      row(
        'CPU of the target',
        'ms/s',
        windows.map(({ targetCpuMs, seconds }) => targetCpuMs / seconds),
      ),
      row(
        'CPU of a bare request of node:http',
        'ms',
        windows.map(({ bareMs }) => bareMs),
      ),
    ]
  })
}

const namesOf = (rounds: readonly (readonly { name: string }[])[]): string[] => [
  ...new Set(rounds.flat().map(({ name }) => name)),
]

const total = <T extends { name: string }>(items: readonly T[], name: string, value: (item: T) => number): number =>
  sum(items.filter((item) => item.name === name).map(value))
