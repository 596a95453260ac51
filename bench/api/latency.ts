import { median, pause, quantile } from '../readings/statistics.ts'
import { figure, type BenchRow } from '../row.ts'
import type { Call, Caller } from './calls.ts'

/** A call that is made again and again, and the milliseconds in which it is to be answered. */
export interface TimedCall {
  name: string
  call: Call
  /** Calls in a round. */
  times: number
  p50?: number
  p99: number
}

/** Between two calls, so that they meet the product at different moments of its work. */
const longestPauseMs = 20

/** Makes the calls in turn, round by round. The figures are medians of the rounds. */
export async function timeCalls(caller: Caller, calls: readonly TimedCall[], rounds: number): Promise<BenchRow[]> {
  const measured = calls.map((timed) => ({ timed, rounds: [] as number[][] }))
  for (let round = 0; round < rounds; round++)
    for (const each of measured) each.rounds.push(await oneRound(caller, each.timed))
  return measured.flatMap(({ timed: { name, p50, p99 }, rounds: all }) => [
    rowOf(name, all, 0.5, p50),
    rowOf(name, all, 0.99, p99),
  ])
}

async function oneRound(caller: Caller, { call, times }: TimedCall): Promise<number[]> {
  const taken: number[] = []
  while (taken.length < times) {
    taken.push(await caller.send(call))
    await pause(Math.random() * longestPauseMs)
  }
  return taken
}

function rowOf(name: string, rounds: readonly number[][], share: number, goalMs: number | undefined): BenchRow {
  const values = rounds.map((taken) => quantile(taken, share))
  const value = median(values)
  return {
    ...figure('api', `${name}, p${share * 100}`, value, 'ms'),
    spread: [Math.min(...values), Math.max(...values)],
    ...(goalMs !== undefined && { goal: `≤ ${goalMs} ms`, met: value <= goalMs }),
  }
}
