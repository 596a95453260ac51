import type { Worker } from 'node:worker_threads'
import { startThread } from '@vedette/checks/thread'
import { Claim, claimsFor } from './claim.ts'
import type { FromThread, Submitted, ThreadReport, ToThread } from './thread-messages.ts'

/** A job that the pool has, waiting for its time or running. */
export interface HeldJob extends Submitted {
  /** Monotonic time at which it is to start. */
  at: number
}

/** A job that a thread has. */
export interface GivenJob extends HeldJob {
  claim: Claim
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

/** One probe thread, seen from the main thread. It starts its jobs itself, each at its time. */
export class ProbeWorker {
  readonly jobs = new Map<string, GivenJob>()
  readonly bornAt = performance.now()
  eventLoopLagMs = 0
  ready = false
  /** Set when one of its jobs does not end. It gets no more jobs. */
  retired = false
  readonly #worker: Worker
  #ended = false
  #reason = 'it ended'

  constructor(entry: URL, data: ProbeThreadData, events: ProbeWorkerEvents) {
    // A memory leak in one thread ends that thread and not the agent.
    this.#worker = startThread(entry, { workerData: data, resourceLimits: { maxOldGenerationSizeMb: 512 } })
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

  get takesJobs(): boolean {
    return this.ready && !this.retired
  }

  run(held: readonly HeldJob[], clockOffsetMs: number): void {
    const claims = claimsFor(held.length)
    for (const [index, each] of held.entries())
      this.jobs.set(each.job.attemptId, { ...each, claim: new Claim(claims, index) })
    const jobs = held.map(({ job, mayWait }) => ({ job, mayWait }))
    this.#tell({ kind: 'run', jobs, claims, clockOffsetMs })
  }

  /** Takes jobs back that have not started, all of them or those that `isWanted`. */
  takeBack(isWanted: (job: GivenJob) => boolean = () => true): GivenJob[] {
    const taken = [...this.jobs.values()].filter((given) => isWanted(given) && given.claim.takeBack())
    for (const { job } of taken) this.jobs.delete(job.attemptId)
    return taken
  }

  /** Ends a job, or takes it back when it has not started. Undefined when the thread does not have it. */
  cancel(attemptId: string): GivenJob | undefined {
    const given = this.jobs.get(attemptId)
    this.jobs.delete(attemptId)
    if (given !== undefined && !given.claim.takeBack()) this.#tell({ kind: 'cancel', attemptId })
    return given
  }

  /** The agent stops: reports wait for no others any more. */
  hurry(): void {
    this.#tell({ kind: 'hurry' })
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
