import type { EventLoopUtilization } from 'node:perf_hooks'
import type { Worker } from 'node:worker_threads'
import { startThread } from '@vedette/checks/thread'
import type { Clock, Job } from '@vedette/wire'
import type { FromThread, ThreadReport, ToThread } from './thread-messages.ts'

/** A job under way. `startedAt` is server time; `since` is the monotonic reading that its limit counts from. */
export interface RunningJob {
  job: Job
  startedAt: number
  since: number
}

/** A job to run, and whether a report that its target is well may wait for others. */
export interface Submitted {
  job: Job
  mayWait: boolean
}

/** The data a probe thread starts with. */
export interface ProbeThreadData {
  controlName: string | null
}

export interface ProbeWorkerEvents {
  onReady(worker: ProbeWorker): void
  onReport(worker: ProbeWorker, report: ThreadReport): void
  /** The thread ended by itself. Its jobs are still listed. */
  onCrash(worker: ProbeWorker, reason: string): void
}

const utilizationWindowMs = 100
/** Above this utilization a thread's timings suffer, so jobs wait. The wait is not part of a measured time. */
const busyAbove = 0.7
/** A thread with fewer jobs always gets work: its utilization comes from its own start. */
const alwaysAdmitted = 4
/**
 * Jobs that a thread starts at once, and the time until the next ones. Utilization shows the load of a start only
 * afterwards: a burst of handshakes would spoil all their timings.
 */
const startsAtOnce = 10
const startsEveryMs = 12

/** One probe thread, seen from the main thread. */
export class ProbeWorker {
  readonly jobs = new Map<string, RunningJob>()
  readonly bornAt = performance.now()
  eventLoopLagMs = 0
  ready = false
  /** Set when one of its jobs does not end. It gets no more jobs. */
  retired = false
  readonly #worker: Worker
  #ended = false
  #reason = 'it ended'
  #sample: { at: number; total: EventLoopUtilization; busy: number }
  #starts = { since: Number.NEGATIVE_INFINITY, count: 0 }

  constructor(entry: URL, data: ProbeThreadData, events: ProbeWorkerEvents) {
    // A memory leak in one thread ends that thread and not the agent.
    this.#worker = startThread(entry, { workerData: data, resourceLimits: { maxOldGenerationSizeMb: 512 } })
    this.#sample = { at: performance.now(), total: this.#worker.performance.eventLoopUtilization(), busy: 0 }
    this.#worker.on('message', (message: FromThread) => this.#hear(message, events))
    this.#worker.on(
      'error',
      (error: unknown) => (this.#reason = error instanceof Error ? error.message : String(error)),
    )
    this.#worker.on('exit', () => {
      if (this.#ended) return
      this.#ended = true
      events.onCrash(this, this.#reason)
    })
  }

  run({ job, mayWait }: Submitted, clock: Pick<Clock, 'now' | 'monotonic'>, clockOffsetMs: number): void {
    this.jobs.set(job.attemptId, { job, startedAt: clock.now() + clockOffsetMs, since: clock.monotonic() })
    this.#starts.count += 1
    this.#tell({ kind: 'run', job, clockOffsetMs, mayWait })
  }

  /** Whether one more job can start now without spoiling the timings of those under way. */
  hasRoom(): boolean {
    if (!this.ready || this.retired) return false
    const now = performance.now()
    if (now - this.#starts.since >= startsEveryMs) this.#starts = { since: now, count: 0 }
    if (this.#starts.count >= startsAtOnce) return false
    return this.jobs.size < alwaysAdmitted || this.#utilization(now) <= busyAbove
  }

  cancel(attemptId: string): void {
    this.jobs.delete(attemptId)
    this.#tell({ kind: 'cancel', attemptId })
  }

  /** The agent stops: reports wait for no others any more. */
  hurry(): void {
    this.#tell({ kind: 'hurry' })
  }

  /** Share of the last moments in which the thread was busy, 0 to 1. */
  #utilization(now: number): number {
    if (now - this.#sample.at >= utilizationWindowMs) {
      const total = this.#worker.performance.eventLoopUtilization()
      const busy = this.#worker.performance.eventLoopUtilization(total, this.#sample.total).utilization
      this.#sample = { at: now, total, busy }
    }
    return this.#sample.busy
  }

  async terminate(): Promise<void> {
    this.#ended = true
    await this.#worker.terminate()
  }

  #hear(message: FromThread, events: ProbeWorkerEvents): void {
    if (this.#ended) return
    if (message.kind === 'vitals') this.eventLoopLagMs = message.eventLoopLagMs
    else if (message.kind === 'reports') for (const report of message.reports) events.onReport(this, report)
    else {
      this.ready = true
      events.onReady(this)
    }
  }

  #tell(message: ToThread): void {
    this.#worker.postMessage(message)
  }
}
