import { pssMb, readProcesses } from '../readings/processes.ts'
import { pause } from '../readings/statistics.ts'
import { periodSeconds, type Session } from '../subjects/subject.ts'
import type { Target } from '../target/target-process.ts'
import { checkOfPath } from './lateness.ts'
import { processName } from './process-name.ts'
import { watchPage, type PageTimes } from './waiting-page.ts'
import { measureWindow, type Window } from './window.ts'

/** Seconds of each step, and how often it is repeated. */
export interface Plan {
  rounds: number
  roundSeconds: number
  warmSeconds: number
  /** Whether a page waits for results in the end. */
  withPage: boolean
}

/** What was measured of a subject under one load. */
export interface LoadReading {
  runsPerSecond: number
  /** Ids of its checks, where they are known. */
  ids: readonly string[]
  windows: Window[]
  /** By process, at the end of each series of rounds. */
  memory: ProcessMemory[][]
  pages: PageTimes[]
}

export interface ProcessMemory {
  name: string
  mb: number
}

const pageSeconds = 20
const beginWithinMs = 600_000

/** Brings a started subject to a load, lets it run until it is warm, and measures it. */
export async function measureLoad(
  session: Session,
  target: Target,
  runsPerSecond: number,
  { rounds, roundSeconds, warmSeconds, withPage }: Plan,
): Promise<LoadReading> {
  const checks = runsPerSecond * periodSeconds
  await session.hold(checks)
  if (session.own === undefined) await allAsked(target, checks)
  console.error(`  ${checks} checks, ${runsPerSecond} runs/s: warming up for ${warmSeconds} s`)
  await pause(warmSeconds * 1000)
  const windows: Window[] = []
  for (let round = 1; round <= rounds; round++) {
    console.error(`  round ${round} of ${rounds}, ${roundSeconds} s`)
    const window = await measureWindow(session, target, roundSeconds)
    if (runsPerSecond > 0 && window.runs === 0)
      throw new Error(`Round ${round} has no run to measure. The subject printed last:\n${session.lastOutput()}`)
    windows.push(window)
  }
  const memory = readProcesses(session.pid).map(({ pid, command }) => ({
    name: processName(command),
    mb: pssMb(pid) ?? 0,
  }))
  const { own } = session
  const pages = own !== undefined && withPage && runsPerSecond > 0 ? [await watchPage(own, pageSeconds)] : []
  return { runsPerSecond, ids: own?.ids() ?? [], windows, memory: [memory], pages }
}

/** Peers may begin with their checks one after the other: waits until each has asked the target. */
async function allAsked(target: Target, checks: number): Promise<void> {
  const asked = new Set<number>()
  const end = Date.now() + beginWithinMs
  while (asked.size < checks) {
    if (Date.now() > end) throw new Error(`Only ${asked.size} of ${checks} checks have asked the target.`)
    await pause(500)
    for (const [path] of await target.arrivals()) {
      const check = checkOfPath(path)
      if (check !== undefined && check < checks) asked.add(check)
    }
  }
}

/** Readings of one subject under one load, of several sessions, as one. */
export function joined(readings: readonly LoadReading[]): LoadReading {
  const [first] = readings
  if (first === undefined) throw new Error('There is no reading to join.')
  return {
    ...first,
    windows: readings.flatMap(({ windows }) => windows),
    memory: readings.flatMap(({ memory }) => memory),
    pages: readings.flatMap(({ pages }) => pages),
  }
}
