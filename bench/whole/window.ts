import { pause } from '../readings/statistics.ts'
import type { Session } from '../subjects/subject.ts'
import type { Arrival } from '../target/target.ts'
import type { Target } from '../target/target-process.ts'
import { groupsOf, pollingThreads, readThreads, threadsBetween, type ThreadReading } from '../readings/threads.ts'
import { startUsage, warnUnlessQuiet, type Usage } from '../readings/usage.ts'
import { bareRequestMs } from './bare-request.ts'
import { checkOfPath } from './lateness.ts'
import { processName } from './process-name.ts'

/** Threads of one kind in one process. */
export interface GroupUse {
  name: string
  cpuMs: number
  wakeUps: number
}

/** One measurement of a subject under a load. */
export interface Window {
  usage: Usage
  /** Results stored; of a peer, requests at the target. */
  runs: number
  /** CPU of its processes by name, threads that ended meanwhile included. */
  processes: { name: string; cpuMs: number }[]
  groups: GroupUse[]
  arrivals: Arrival[]
  /** CPU of a bare request before it. */
  bareMs: number
}

export async function measureWindow(session: Session, target: Target, seconds: number): Promise<Window> {
  const bareMs = await bareRequestMs(target.port)
  await target.arrivals()
  const polling = await pollingThreads(session.pid)
  const storedBefore = await session.own?.stored()
  const [from, threadsBefore] = [Date.now(), readThreads(session.pid)]
  const usageSince = startUsage(session.pid, target.pid)
  await pause(seconds * 1000)
  const usage = usageSince()
  const [to, threadsAfter] = [Date.now(), readThreads(session.pid)]
  const arrivals = (await target.arrivals()).filter(
    ([path, at]) => checkOfPath(path) !== undefined && at >= from && at < to,
  )
  const storedAfter = await session.own?.stored()
  if (usage.processes.length === 0) throw new Error(`The subject has ended. It printed last:\n${session.lastOutput()}`)
  warnUnlessQuiet(usage)
  const threads = threadsBetween(threadsBefore, threadsAfter)
  return {
    usage,
    runs: storedBefore === undefined || storedAfter === undefined ? arrivals.length : storedAfter - storedBefore,
    processes: usage.processes.map(({ command, cpuMs }) => ({ name: processName(command), cpuMs })),
    groups: usage.processes.flatMap(({ pid, command }) => {
      const own = threads.filter((thread) => thread.pid === pid)
      const groups = groupsOf(own, command, (tid) => polling.has(tid))
      return usesOf(processName(command), own, groups)
    }),
    arrivals,
    bareMs,
  }
}

function usesOf(process: string, threads: readonly ThreadReading[], groups: readonly string[]): GroupUse[] {
  const uses = new Map<string, GroupUse>()
  for (const [at, thread] of threads.entries()) {
    const name = `${process}, ${groups[at]}`
    const use = uses.get(name) ?? { name, cpuMs: 0, wakeUps: 0 }
    uses.set(name, { name, cpuMs: use.cpuMs + thread.cpuMs, wakeUps: use.wakeUps + thread.wakeUps })
  }
  return [...uses.values()]
}
