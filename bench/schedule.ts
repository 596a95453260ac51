import { performance } from 'node:perf_hooks'
import { dueAt, slotAtOrAfter, systemClock, type Clock } from '@vedette/wire'
import { StartLine } from '../packages/agent/src/execution/start-line.ts'
import { MemoryQueue } from '../packages/server/src/queue/memory-queue.ts'
import type { RunQueue } from '../packages/server/src/queue/run-queue.ts'
import type { RunRef } from '../packages/server/src/runs.ts'
import { RunLedger } from '../packages/server/src/scheduling/run-ledger.ts'
import type { ScheduledCheck } from '../packages/server/src/scheduling/schedule-entry.ts'
import type { Scheduler } from '../packages/server/src/scheduling/scheduler.ts'
import { scheduledCheck, schedulerOf } from '../packages/server/test-support/schedule.ts'
import type { BenchRow } from './row.ts'

export interface ScheduleBenchOptions {
  checks: number
  rounds: number
  /** Length of each measurement, after a second of warm-up. */
  windowMs: number
}

const usual: ScheduleBenchOptions = { checks: 100_000, rounds: 7, windowMs: 3000 }
const settleMs = 1000

const clock: Clock = {
  ...systemClock,
  now: () => performance.timeOrigin + performance.now(),
}
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** What one measurement found. */
interface Look {
  p50: number
  p99: number
  worst: number
  runs: number
  /** Share of one core, in percent. */
  cpu: number
  setupMs: number
}

type Late = (dueAtMs: number) => void
/** Starts the thing under test. Returns a function that stops it. */
type Subject = (late: Late) => () => Promise<void>

/** 100,000 checks in one heap, each run every minute: how late their runs start at an agent, and the CPU used. */
export async function schedule(report: (row: BenchRow) => void, options: Partial<ScheduleBenchOptions> = {}) {
  const { checks: count, rounds, windowMs } = { ...usual, ...options }
  const checks = Array.from({ length: count }, () => scheduledCheck())
  const looks: Record<'heap' | 'enqueue' | 'timers', Look[]> = { heap: [], enqueue: [], timers: [] }
  for (let round = 0; round < rounds; round++) {
    looks.heap.push(await look(heapAlone(checks), windowMs))
    looks.enqueue.push(await look(heapAndQueue(checks), windowMs))
    looks.timers.push(await look(timerEach(checks), windowMs))
  }
  for (const row of rowsOf(looks, windowMs)) report(row)
}

async function look(subject: Subject, windowMs: number): Promise<Look> {
  const lateness: number[] = []
  let isOpen = false
  const began = performance.now()
  const stop = subject((due) => {
    if (isOpen) lateness.push(clock.now() - due)
  })
  const setupMs = performance.now() - began
  await sleep(settleMs)
  isOpen = true
  const cpuBefore = process.cpuUsage()
  const from = performance.now()
  await sleep(windowMs)
  const used = process.cpuUsage(cpuBefore)
  const wallMs = performance.now() - from
  isOpen = false
  await stop()
  const sorted = Float64Array.from(lateness).toSorted()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  const cpu = (100 * (used.user + used.system)) / 1000 / wallMs
  return { p50: at(0.5), p99: at(0.99), worst: at(1), runs: sorted.length, cpu, setupMs }
}

function startScheduler(checks: readonly ScheduledCheck[], queue: RunQueue, ledger: RunLedger): Scheduler {
  const log = { error: (details: object, text: string) => console.error(text, details) }
  const scheduler = schedulerOf({ clock, queue, ledger, log })
  scheduler.start(checks, [], undefined)
  return scheduler
}

/** Probe threads of the agent: each starts some 670 runs a second at most, so that they do not spoil each other's timings. */
const threads = 4

/** Lets the threads of an agent start runs at their time. */
function startInThreads(start: (ref: RunRef) => void) {
  const lines = Array.from(
    { length: threads },
    () => new StartLine<{ job: RunRef }>({ clock, start: ({ job }) => start(job), isBusy: () => false }),
  )
  return (refs: readonly RunRef[]): void => {
    for (const [nth, line] of lines.entries()) {
      const own = refs.filter((_, n) => n % threads === nth)
      line.add(
        own.map((job) => ({ job })),
        0,
      )
    }
  }
}

const heapAlone =
  (checks: readonly ScheduledCheck[]): Subject =>
  (late) => {
    const ledger = new RunLedger(clock)
    const startAll = startInThreads(({ dueAt: due, attemptId }) => {
      late(due)
      ledger.end([attemptId])
    })
    const enqueue = (refs: readonly RunRef[]): Promise<void> => {
      startAll(refs)
      return Promise.resolve()
    }
    const scheduler = startScheduler(checks, { enqueue } as unknown as RunQueue, ledger)
    return async () => {
      scheduler.stop()
    }
  }

/** Until a waiting agent starts the run. */
const heapAndQueue =
  (checks: readonly ScheduledCheck[]): Subject =>
  (late) => {
    const ledger = new RunLedger(clock)
    const queue = new MemoryQueue({ clock, memory: ledger, leaseMs: 30_000, onLost: () => undefined })
    queue.start()
    const scheduler = startScheduler(checks, queue, ledger)
    const gone = new AbortController()
    const startAll = startInThreads(({ dueAt: due, attemptId }) => {
      late(due)
      ledger.end([attemptId])
    })
    const working = work(queue, gone.signal, (refs) => startAll(refs))
    return async () => {
      scheduler.stop()
      gone.abort()
      await queue.stop()
      await working
    }
  }

async function work(queue: RunQueue, signal: AbortSignal, onRuns: (refs: readonly RunRef[]) => void): Promise<void> {
  const locations = new Set(['eu-west-1'] as const)
  const call = { keyId: 'key', agentId: 'agent', locations, free: { network: 10_000 }, signal }
  while (!signal.aborted) {
    const runs = await queue.lease({ ...call, waitMs: 10_000 })
    onRuns(runs.map(({ ref }) => ref))
  }
}

/** For comparison: one timer for each check. */
const timerEach =
  (checks: readonly ScheduledCheck[]): Subject =>
  (late) => {
    const timers = new Map<string, NodeJS.Timeout>()
    const arm = (check: ScheduledCheck, slot: number): void => {
      const due = dueAt(check, slot)
      const timer = setTimeout(() => {
        late(due)
        arm(check, slot + 1)
      }, due - clock.now())
      timers.set(check.checkId, timer)
    }
    for (const check of checks) arm(check, slotAtOrAfter(check, clock.now()))
    return async () => {
      for (const timer of timers.values()) clearTimeout(timer)
    }
  }

const medianOf = (looks: readonly Look[], of: keyof Look): number =>
  looks.map((one) => one[of]).toSorted((a, b) => a - b)[Math.floor(looks.length / 2)] ?? Number.NaN

function rowsOf(
  { heap, enqueue, timers }: Record<'heap' | 'enqueue' | 'timers', Look[]>,
  windowMs: number,
): BenchRow[] {
  const peer = 'one setTimeout for each check'
  const row = (metric: string, value: number, unit: string, more: Partial<BenchRow> = {}): BenchRow => ({
    bench: 'schedule',
    metric,
    value: Number(value.toFixed(3)),
    unit,
    against: null,
    ratio: null,
    goal: null,
    met: null,
    ...more,
  })
  const versus = (ours: number, theirs: number): Partial<BenchRow> => ({
    against: `${peer}: ${theirs.toFixed(2)}`,
    ratio: Number((ours / theirs).toFixed(3)),
  })
  const p99 = medianOf(heap, 'p99')
  const cpu = medianOf(heap, 'cpu')
  return [
    row('lateness of starts, p50', medianOf(heap, 'p50'), 'ms'),
    row('lateness of starts, p99', p99, 'ms', {
      ...versus(p99, medianOf(timers, 'p99')),
      goal: '<= 60 ms',
      met: p99 <= 60,
    }),
    row(
      'lateness of starts, worst',
      medianOf(heap, 'worst'),
      'ms',
      versus(medianOf(heap, 'worst'), medianOf(timers, 'worst')),
    ),
    row('CPU of one core', cpu, '%', { ...versus(cpu, medianOf(timers, 'cpu')), goal: '<= 3 %', met: cpu <= 3 }),
    row('lateness p99 at a waiting agent, queue included', medianOf(enqueue, 'p99'), 'ms'),
    row('CPU of one core, queue included', medianOf(enqueue, 'cpu'), '%'),
    row('runs a second', (medianOf(heap, 'runs') / windowMs) * 1000, '1/s'),
    row('setup', medianOf(heap, 'setupMs'), 'ms', versus(medianOf(heap, 'setupMs'), medianOf(timers, 'setupMs'))),
  ]
}
