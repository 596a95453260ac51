import type { BenchRow } from '../row.ts'
import { sum } from '../readings/statistics.ts'
import type { LoadReading } from './load.ts'
import { at, plain, type Measured } from './rows.ts'
import type { Window } from './window.ts'

/** Where CPU, wake-ups and memory of a subject go, by process and by kind of thread; and what else used the machine. */
export const detailRows = ({ name, loads }: Measured): BenchRow[] =>
  loads.flatMap((load) => [
    ...processRows(name, load),
    ...threadRows(name, load),
    ...memoryRows(name, load),
    ...besideRows(load),
  ])

interface Named {
  name: string
}

const row = (load: LoadReading, name: string, unit: string, value: (window: Window) => number): BenchRow =>
  plain(`${at(load)}${name}`, unit, load.windows.map(value))

/** CPU for each run or, at rest, for each second. */
function cpuRow(load: LoadReading, name: string, cpuMs: (window: Window) => number): BenchRow {
  if (load.runsPerSecond > 0) return row(load, name, 'ms/run', (window) => cpuMs(window) / window.runs)
  return row(load, name, 'ms/s', (window) => cpuMs(window) / window.usage.seconds)
}

const processRows = (subject: string, load: LoadReading): BenchRow[] =>
  namesOf(load.windows.map(({ processes }) => processes)).map((name) =>
    cpuRow(load, `CPU of ${subject}, ${name}`, ({ processes }) => total(processes, name, ({ cpuMs }) => cpuMs)),
  )

function threadRows(subject: string, load: LoadReading): BenchRow[] {
  const names = namesOf(load.windows.map(({ groups }) => groups))
  return [
    ...names.map((name) =>
      cpuRow(load, `CPU of ${subject}, ${name}`, ({ groups }) => total(groups, name, ({ cpuMs }) => cpuMs)),
    ),
    ...names.map((name) =>
      row(
        load,
        `wake-ups of ${subject}, ${name}`,
        '1/s',
        ({ groups, usage }) => total(groups, name, ({ wakeUps }) => wakeUps) / usage.seconds,
      ),
    ),
  ]
}

const memoryRows = (subject: string, load: LoadReading): BenchRow[] =>
  namesOf(load.memory).map((name) =>
    plain(
      `${at(load)}memory (PSS) of ${subject}, ${name}`,
      'MB',
      load.memory.map((processes) => total(processes, name, ({ mb }) => mb)),
    ),
  )

const besideRows = (load: LoadReading): BenchRow[] => [
  row(load, 'CPU of other programs of this machine', 'ms/s', ({ usage }) => usage.othersMs / usage.seconds),
  row(load, 'CPU of the target', 'ms/s', ({ usage }) => usage.targetMs / usage.seconds),
  row(load, 'CPU of a bare request of node:http', 'ms', ({ bareMs }) => bareMs),
]

const namesOf = (rounds: readonly (readonly Named[])[]): string[] => [...new Set(rounds.flat().map(({ name }) => name))]

const total = <T extends Named>(items: readonly T[], name: string, value: (item: T) => number): number =>
  sum(items.filter((item) => item.name === name).map(value))
