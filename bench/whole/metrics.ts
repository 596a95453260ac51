import { quantile, sum } from '../readings/statistics.ts'
import { periodSeconds } from '../subjects/subject.ts'
import { excessOf, latenessOf } from './lateness.ts'
import type { LoadReading } from './load.ts'
import type { Window } from './window.ts'

/** A figure of one load: one value for each repetition. */
export interface LoadMetric {
  name: string
  unit: string
  values(reading: LoadReading): number[]
  /** The value that is good enough. */
  goal?: number
  /** The share of the baseline that is good enough. */
  goalOfBaseline?: number
  /** Whether it can be told of a load. */
  appliesTo(runsPerSecond: number): boolean
  /** Told where subjects stand beside each other, instead of alone. */
  comparesOnly?: boolean
}

const perWindow = (value: (window: Window, reading: LoadReading) => number) => (reading: LoadReading) =>
  reading.windows.map((window) => value(window, reading))

const isIdle = (runsPerSecond: number): boolean => runsPerSecond === 0
const isRunning = (runsPerSecond: number): boolean => runsPerSecond > 0
/** The load that goals of a run are stated for. */
const isUsual = (runsPerSecond: number): boolean => runsPerSecond === 40
const isOther = (runsPerSecond: number): boolean => isRunning(runsPerSecond) && !isUsual(runsPerSecond)
const isAny = (): boolean => true

const lateness = (share: number, goal?: number): LoadMetric => ({
  name: `request arrives after its check is due, p${share * 100}`,
  unit: 'ms',
  values: ({ windows, ids }) =>
    ids.length === 0 ? [] : windows.map(({ arrivals }) => quantile(latenessOf(arrivals, ids), share)),
  ...(goal !== undefined && { goal }),
  appliesTo: isRunning,
})

const excess = (share: number): LoadMetric => ({
  name: `time between two requests of a check, beyond its period, p${share * 100}`,
  unit: 'ms',
  // A shorter window sees two requests only of those checks whose second one came early.
  values: ({ windows }) =>
    windows
      .filter(({ usage }) => usage.seconds >= 2 * periodSeconds)
      .map(({ arrivals }) => quantile(excessOf(arrivals), share)),
  appliesTo: isRunning,
  comparesOnly: true,
})

const memory = (appliesTo: LoadMetric['appliesTo'], goal?: number): LoadMetric => ({
  name: 'memory (PSS), all processes',
  unit: 'MB',
  values: ({ memory: rounds }) => rounds.map((processes) => sum(processes.map(({ mb }) => mb))),
  ...(goal !== undefined && { goal }),
  appliesTo,
})

const perRun: Omit<LoadMetric, 'appliesTo'> = {
  name: 'CPU per run, all processes',
  unit: 'ms',
  values: perWindow(({ usage, runs }) => usage.subjectMs / runs),
}

const pages = (of: 'told' | 'shown', name: string, goal?: number): LoadMetric => ({
  name,
  unit: 'ms',
  values: (reading) => reading.pages.map((page) => quantile(page[of], 0.95)),
  ...(goal !== undefined && { goal }),
  appliesTo: isRunning,
})

export const loadMetrics: readonly LoadMetric[] = [
  {
    name: 'runs per second',
    unit: '1/s',
    values: perWindow(({ runs, usage }) => runs / usage.seconds),
    appliesTo: isRunning,
  },
  {
    name: 'CPU, all processes',
    unit: 'ms/s',
    values: perWindow(({ usage }) => usage.subjectMs / usage.seconds),
    goal: 10,
    appliesTo: isIdle,
  },
  { ...perRun, goal: 1.6, goalOfBaseline: 0.6, appliesTo: isUsual },
  { ...perRun, appliesTo: isOther },
  {
    name: 'wake-ups, all threads',
    unit: '1/s',
    values: perWindow(({ groups, usage }) => sum(groups.map(({ wakeUps }) => wakeUps)) / usage.seconds),
    appliesTo: isAny,
  },
  lateness(0.5, 15),
  lateness(0.9),
  lateness(0.99, 60),
  excess(0.5),
  excess(0.99),
  pages('told', 'passing result, stop → on a waiting page, p95', 1500),
  pages('shown', 'passing result, stop → read again and shown, p95'),
  memory(isIdle, 300),
  memory(isUsual, 400),
  memory(isOther),
]

/** CPU of one more run: how much more the higher load uses, for each run that it has more. */
export function marginalCpu(lower: LoadReading, higher: LoadReading): number[] {
  const rates = ({ windows }: LoadReading) =>
    windows.map(({ runs, usage }) => ({ cpu: usage.subjectMs / usage.seconds, runs: runs / usage.seconds }))
  const above = rates(higher)
  return rates(lower).flatMap((low, round) => {
    const high = above[round]
    return high === undefined ? [] : [(high.cpu - low.cpu) / (high.runs - low.runs)]
  })
}
