import { readFileSync, readdirSync } from 'node:fs'
import { pause } from './statistics.ts'
import { statFields, whileAlive, withDescendants } from './processes.ts'

/** What a thread is for. */
export type ThreadGroup = 'main thread' | 'worker threads' | 'V8 helpers' | 'libuv pool' | 'all threads'

/** A thread at one moment: CPU since its start in milliseconds, and how often it has gone to sleep and so was woken. */
export interface ThreadReading {
  pid: number
  tid: number
  name: string
  /** The kernel function in which it waits; '0' while it runs. */
  waitsIn: string
  cpuMs: number
  wakeUps: number
  /** In ticks since the start of the machine. */
  startedAt: number
}

/** The threads of a process and of its descendants, those of each process in the order in which they started. */
export const readThreads = (pid: number): ThreadReading[] => withDescendants(pid).flatMap(threadsOf)

function threadsOf(pid: number): ThreadReading[] {
  const tids = whileAlive(() => readdirSync(`/proc/${pid}/task`)) ?? []
  return tids
    .flatMap((tid) => whileAlive(() => readThread(pid, Number(tid))) ?? [])
    .toSorted((a, b) => a.startedAt - b.startedAt || a.tid - b.tid)
}

function readThread(pid: number, tid: number): ThreadReading {
  const read = (file: string): string => readFileSync(`/proc/${pid}/task/${tid}/${file}`, 'utf8').trim()
  return {
    pid,
    tid,
    name: read('comm'),
    waitsIn: read('wchan'),
    cpuMs: Number(read('schedstat').split(' ')[0]) / 1e6,
    wakeUps: Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(read('status'))?.[1] ?? 0),
    startedAt: Number(statFields(read('stat'))[19]),
  }
}

/** Threads with what they used between two readings. One that ended in between is left out. */
export function threadsBetween(before: readonly ThreadReading[], after: readonly ThreadReading[]): ThreadReading[] {
  const known = new Map(before.map((each) => [each.tid, each]))
  return after.map((each) => ({
    ...each,
    cpuMs: each.cpuMs - (known.get(each.tid)?.cpuMs ?? 0),
    wakeUps: each.wakeUps - (known.get(each.tid)?.wakeUps ?? 0),
  }))
}

/** Names by which newer versions of Node tell their threads apart; the kernel cuts them at 15 characters. */
const tellingNames: readonly [name: RegExp, group: ThreadGroup][] = [
  [/^(V8Worker|DelayedTask|SignalInspec)/, 'V8 helpers'],
  [/^libuv-worker/, 'libuv pool'],
  [/^(WorkerThread|\[worker)/, 'worker threads'],
]

/** V8's timer thread and Node's thread for signals of the inspector, which start with V8's pool. */
const besideV8Pool = 2
const usualV8Pool = 4

/**
 * The group of each thread of one process of Node, in the order of `threads`. Where names do not tell, V8's helpers are
 * the first after the main thread, and worker threads have an event loop: they were seen to poll.
 */
export function groupsOf(
  threads: readonly Pick<ThreadReading, 'tid' | 'name'>[],
  command: string,
  hasPolled: (tid: number) => boolean,
): ThreadGroup[] {
  if (!/\bnode\b/.test(command.split(' ')[0] ?? '')) return threads.map(() => 'all threads')
  const helpers = Number(/--v8-pool-size=(\d+)/.exec(command)?.[1] ?? usualV8Pool) + besideV8Pool
  return threads.map(({ tid, name }, at) => {
    if (at === 0) return 'main thread'
    const told = tellingNames.find(([pattern]) => pattern.test(name))
    if (told !== undefined) return told[1]
    if (at <= helpers) return 'V8 helpers'
    return hasPolled(tid) ? 'worker threads' : 'libuv pool'
  })
}

const looks = 40
const betweenLooksMs = 10

/** Ids of the threads that were seen to wait in a poll, in looks over less than half a second. */
export async function pollingThreads(pid: number): Promise<ReadonlySet<number>> {
  const found = new Set<number>()
  for (let look = 0; look < looks; look++) {
    for (const { tid, waitsIn } of readThreads(pid)) if (waitsIn.includes('poll')) found.add(tid)
    await pause(betweenLooksMs)
  }
  return found
}
