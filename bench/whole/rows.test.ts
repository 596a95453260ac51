import { describe, expect, it } from 'vitest'
import { lineOf, type BenchRow } from '../row.ts'
import type { LoadReading } from './load.ts'
import { detailRows } from './details.ts'
import { baselineName, rowsAlone, rowsBeside } from './rows.ts'

/** A load whose windows used so much CPU for each second. */
const reading = (runsPerSecond: number, ...cpuPerSecond: number[]): LoadReading => ({
  runsPerSecond,
  ids: [],
  windows: cpuPerSecond.map((cpu) => ({
    usage: { seconds: 10, processes: [], subjectMs: cpu * 10, targetMs: 50, benchMs: 20, othersMs: 30 },
    runs: runsPerSecond * 10,
    processes: [{ name: 'server', cpuMs: cpu * 10 }],
    groups: [{ name: 'server, main thread', cpuMs: cpu * 8, wakeUps: 500 }],
    arrivals: [],
    bareMs: 0.4,
  })),
  memory: [
    [
      { name: 'server', mb: 200 },
      { name: 'agent', mb: 120 },
    ],
  ],
  pages: [],
})

const find = (rows: readonly BenchRow[], metric: string): BenchRow | undefined =>
  rows.find((row) => row.metric === metric)

describe('the figures of a subject alone', () => {
  const rows = rowsAlone({
    name: 'vedette',
    loads: [reading(0, 9, 8, 12), reading(40, 60, 72, 80), reading(200, 180, 232, 240)],
  })

  it('are medians with their spread, beside the goals', () => {
    expect(find(rows, '0 runs/s: CPU, all processes')).toMatchObject({
      value: 9,
      spread: [8, 12],
      goal: '≤ 10 ms/s',
      met: true,
    })
    expect(find(rows, '40 runs/s: CPU per run, all processes')).toMatchObject({
      value: 1.8,
      spread: [1.5, 2],
      goal: '≤ 1.6 ms',
      met: false,
    })
    expect(find(rows, '0 runs/s: memory (PSS), all processes')).toMatchObject({
      value: 320,
      goal: '≤ 300 MB',
      met: false,
    })
    expect(find(rows, '40 runs/s: memory (PSS), all processes')).toMatchObject({
      value: 320,
      goal: '≤ 400 MB',
      met: true,
    })
  })

  it('state no goal where none is set', () => {
    expect(find(rows, '200 runs/s: CPU per run, all processes')).toMatchObject({ value: 1.16, goal: null, met: null })
  })

  it('tell what one more run costs, between two loads', () => {
    expect(find(rows, 'CPU of one more run, 40 → 200 runs/s')).toMatchObject({
      value: 1,
      spread: [0.75, 1],
      met: false,
    })
  })

  it('leave out what was not measured', () => {
    expect(rows.filter(({ value }) => Number.isNaN(value))).toEqual([])
  })
})

describe('the figures of two subjects', () => {
  const ours = { name: 'this checkout', loads: [reading(40, 60), reading(200, 156)] }

  it('are compared, with the goals of ratios where the other one is the baseline', () => {
    const rows = rowsBeside(ours, { name: baselineName, loads: [reading(40, 120), reading(200, 280)] })
    expect(find(rows, '40 runs/s: CPU per run, all processes, this checkout')).toMatchObject({
      value: 1.5,
      ratio: 0.5,
      against: 'baseline',
      goal: '≤ 0.6 ×',
      met: true,
    })
    expect(find(rows, '40 runs/s: CPU per run, all processes, baseline')).toMatchObject({ value: 3, ratio: null })
    expect(find(rows, 'CPU of one more run, 40 → 200 runs/s, this checkout')?.ratio).toBeCloseTo(0.6)
  })

  it('are compared with a peer without goals', () => {
    const rows = rowsBeside(ours, { name: 'Gatus', loads: [reading(40, 30)] })
    expect(find(rows, '40 runs/s: CPU per run, all processes, this checkout')).toMatchObject({ ratio: 2, goal: null })
  })
})

it('details tell where CPU, wake-ups and memory go', () => {
  const rows = detailRows({ name: 'vedette', loads: [reading(0, 10), reading(40, 80)] })
  expect(find(rows, '0 runs/s: CPU of vedette, server, main thread')).toMatchObject({ value: 8, unit: 'ms/s' })
  expect(find(rows, '40 runs/s: CPU of vedette, server, main thread')).toMatchObject({ value: 1.6, unit: 'ms/run' })
  expect(find(rows, '40 runs/s: wake-ups of vedette, server, main thread')).toMatchObject({ value: 50, unit: '1/s' })
  expect(find(rows, '40 runs/s: memory (PSS) of vedette, agent')).toMatchObject({ value: 120 })
})

it('a line shows figure, spread, comparison and goal', () => {
  const row = {
    bench: 'whole',
    metric: 'CPU',
    value: 1.23456,
    unit: 'ms',
    spread: [1, 2] as const,
    against: 'baseline',
    ratio: 0.5,
    goal: '≤ 0.6 ×',
    met: true,
  }
  expect(lineOf(row).replaceAll(/ +/g, ' ')).toBe('whole CPU 1.235 ms (1–2) 0.50 × baseline goal ≤ 0.6 ×: met')
})
