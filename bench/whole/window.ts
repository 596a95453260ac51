import { machineCpuMs, warnUnlessQuiet } from '../machine.ts'
import { cpuBetween, readProcesses } from '../processes.ts'
import { pause, sum } from '../statistics.ts'
import type { Session } from '../subjects/subject.ts'
import type { Arrival } from '../target.ts'
import type { Target } from '../target-process.ts'
import { groupsOf, pollingThreads, readThreads, threadsBetween, type ThreadReading } from '../threads.ts'
import { bareRequestMs } from './bare-request.ts'
import { processName } from './process-name.ts'

/** Threads of one kind in one process. */
export interface GroupUse {
  name: string
  cpuMs: number
  wakeUps: number
}

/** One measurement of a subject under a load. */
export interface Window {
  seconds: number
  /** Results stored; of a peer, requests at the target. */
  runs: number
  /** Of all processes, threads that ended meanwhile included. */
  cpuMs: number
  processes: { name: string; cpuMs: number }[]
  groups: GroupUse[]
  arrivals: Arrival[]
  /** CPU of a bare request before it. */
  bareMs: number
  targetCpuMs: number
  /** What other programs of the machine used: a quiet one has little of it. */
  othersMs: number
}

export async function measureWindow(session: Session, target: Target, seconds: number): Promise<Window> {
  const bareMs = await bareRequestMs(target.port)
  await target.arrivals()
  const polling = await pollingThreads(session.pid)
  const storedBefore = await session.own?.stored()
  const before = look(session.pid, target.pid)
  await pause(seconds * 1000)
  const after = look(session.pid, target.pid)
  const arrivals = (await target.arrivals()).filter(([, at]) => at >= before.at && at < after.at)
  const storedAfter = await session.own?.stored()
  const used = cpuBetween(before.processes, after.processes)
  if (used.length === 0) throw new Error(`The subject has ended. It printed last:\n${session.lastOutput()}`)
  const cpuMs = sum(used.map((each) => each.cpuMs))
  const targetCpuMs = sum(cpuBetween(before.target, after.target).map((each) => each.cpuMs))
  const benchMs = (after.bench.user + after.bench.system - before.bench.user - before.bench.system) / 1000
  const othersMs = Math.max(0, after.machine - before.machine - cpuMs - targetCpuMs - benchMs)
  warnUnlessQuiet(othersMs, seconds)
  const threads = threadsBetween(before.threads, after.threads)
  return {
    seconds: (after.at - before.at) / 1000,
    runs: storedBefore === undefined || storedAfter === undefined ? arrivals.length : storedAfter - storedBefore,
    cpuMs,
    processes: used.map((each) => ({ name: processName(each.command), cpuMs: each.cpuMs })),
    groups: used.flatMap(({ pid, command }) => {
      const own = threads.filter((thread) => thread.pid === pid)
      return usesOf(
        processName(command),
        own,
        groupsOf(own, command, (tid) => polling.has(tid)),
      )
    }),
    arrivals,
    bareMs,
    targetCpuMs,
    othersMs,
  }
}

const look = (pid: number, targetPid: number) => ({
  machine: machineCpuMs(),
  bench: process.cpuUsage(),
  processes: readProcesses(pid),
  threads: readThreads(pid),
  target: readProcesses(targetPid),
  at: Date.now(),
})

function usesOf(process: string, threads: readonly ThreadReading[], groups: readonly string[]): GroupUse[] {
  const uses = new Map<string, GroupUse>()
  for (const [at, thread] of threads.entries()) {
    const name = `${process}, ${groups[at]}`
    const use = uses.get(name) ?? { name, cpuMs: 0, wakeUps: 0 }
    uses.set(name, { name, cpuMs: use.cpuMs + thread.cpuMs, wakeUps: use.wakeUps + thread.wakeUps })
  }
  return [...uses.values()]
}
