import type { Worker } from 'node:worker_threads'
import type { CancelTimer, Clock } from '@vedette/wire'
import { createFairQueue } from './fair-queue.ts'
import { startThread } from '../../thread/start-thread.ts'
import type { AssertionFinding, AssertionTask } from './assertions.ts'
import type { AssertionBatch, WorkerMessage } from './assertion-worker.ts'

export interface AssertionThreadsOptions {
  clock: Clock
  /** Most threads. A thread starts when it has work. */
  size: number
  /** Longest time in milliseconds that the assertions of one run may take together. */
  limitMs: number
  /** Processor time of this process so far, in milliseconds. */
  cpuMs?: () => number
}

/** Findings of a batch. `excess` says that it was ended because it exceeded a limit; `tookMs` leaves out its wait. */
export interface Evaluated {
  findings: AssertionFinding[]
  excess: boolean
  tookMs: number
}

/** Whose assertions they are, and whether they go before those of others. Among equals checks take turns. */
export interface Turn {
  owner: string
  first: boolean
}

interface Batch {
  tasks: readonly AssertionTask[]
  findings: AssertionFinding[]
  /** The monotonic reading when a thread took it up, and the processor time at that moment. */
  since: number
  cpuSince: number
  resolve: (evaluated: Evaluated) => void
  reject: (error: Error) => void
}

interface Thread {
  worker: Worker
  ready: boolean
  batch: Batch | undefined
  cancelTimer: CancelTimer | undefined
}

/** Why a thread ended: it exceeded a limit, or it crashed. */
type Loss = { excess: string } | { crash: string }

const stopping = 'the agent is stopping'

/**
 * The limit is counted in this many timers, one after the other: time in which the process was suspended or got no
 * processor counts as one of them at most.
 */
const steps = 10
/**
 * On a machine that is overloaded a thread may get no processor. While the whole process got less than this share of the
 * limit, the thread is not the slow part, and the target is not blamed. It is waited for up to this many limits.
 */
const cpuShare = 0.5
const mostLimits = 10

const processCpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Threads that share their work. Each batch has a time limit; a thread that exceeds it is replaced. */
export class AssertionThreads {
  readonly #clock: Clock
  readonly #size: number
  readonly #limitMs: number
  readonly #cpuMs: () => number
  readonly #threads = new Set<Thread>()
  readonly #preferred = createFairQueue<Batch>()
  readonly #others = createFairQueue<Batch>()
  #stopped = false

  constructor({ clock, size, limitMs, cpuMs = processCpuMs }: AssertionThreadsOptions) {
    this.#clock = clock
    this.#cpuMs = cpuMs
    this.#size = size
    this.#limitMs = limitMs
  }

  /** Batches of a check that no thread has taken up yet. */
  waitingOf(owner: string): number {
    return this.#preferred.sizeOf(owner) + this.#others.sizeOf(owner)
  }

  /**
   * Answers one finding per task, in order, and whether a limit of time or memory was exceeded. Rejects on an internal
   * error.
   */
  evaluate(tasks: readonly AssertionTask[], { owner, first }: Turn): Promise<Evaluated> {
    if (this.#stopped) return Promise.reject(new Error(stopping))
    return new Promise((resolve, reject) => {
      const queue = first ? this.#preferred : this.#others
      queue.push(owner, { tasks, findings: [], since: 0, cpuSince: 0, resolve, reject })
      this.#dispatch()
    })
  }

  /** Ends all threads. Batches under way are rejected. */
  async stop(): Promise<void> {
    this.#stopped = true
    for (const { reject } of this.#takeWaiting()) reject(new Error(stopping))
    await Promise.all([...this.#threads].map((thread) => this.#end(thread, { crash: stopping })))
  }

  #dispatch(): void {
    const idle = [...this.#threads].find((thread) => thread.ready && thread.batch === undefined)
    if (idle === undefined) {
      const starting = [...this.#threads].some((thread) => !thread.ready)
      const waiting = this.#preferred.size + this.#others.size
      if (!starting && this.#threads.size < this.#size && waiting > 0) this.#startThread()
      return
    }
    const batch = this.#preferred.shift() ?? this.#others.shift()
    if (batch === undefined) return
    batch.since = this.#clock.monotonic()
    batch.cpuSince = this.#cpuMs()
    idle.batch = batch
    idle.worker.ref()
    this.#countDown(idle, steps)
    idle.worker.postMessage(toMessage(batch.tasks))
    this.#dispatch()
  }

  #startThread(): void {
    const worker = startThread(new URL('./assertion-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 256 },
      env: {},
    })
    const thread: Thread = { worker, ready: false, batch: undefined, cancelTimer: undefined }
    this.#threads.add(thread)
    worker.on('message', (message: WorkerMessage) => this.#heard(thread, message))
    worker.on('error', (error: NodeJS.ErrnoException) => {
      const outOfMemory = thread.ready && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      this.#lost(thread, outOfMemory ? { excess: 'it needed more memory than allowed' } : { crash: error.message })
    })
    worker.on('exit', () => this.#lost(thread, { crash: 'the assertion thread ended by itself' }))
  }

  #heard(thread: Thread, message: WorkerMessage): void {
    if (message === 'ready') {
      thread.ready = true
      thread.worker.unref()
      return this.#dispatch()
    }
    const { batch } = thread
    if (batch === undefined) return
    batch.findings.push(message)
    if (batch.findings.length < batch.tasks.length) return
    this.#release(thread)
    thread.worker.unref()
    batch.resolve({ findings: batch.findings, excess: false, tookMs: this.#clock.monotonic() - batch.since })
    this.#dispatch()
  }

  #countDown(thread: Thread, left: number): void {
    thread.cancelTimer = this.#clock.after(this.#limitMs / steps, () => {
      if (left > 1) return this.#countDown(thread, left - 1)
      if (thread.batch !== undefined && this.#gotNoProcessor(thread.batch)) return this.#countDown(thread, 1)
      void this.#end(thread, { excess: `it took longer than ${this.#limitMs} ms` })
    })
  }

  #gotNoProcessor({ since, cpuSince }: Batch): boolean {
    const waitedMs = this.#clock.monotonic() - since
    return waitedMs < this.#limitMs * mostLimits && this.#cpuMs() - cpuSince < this.#limitMs * cpuShare
  }

  #release(thread: Thread): Batch | undefined {
    const { batch } = thread
    thread.cancelTimer?.()
    thread.cancelTimer = undefined
    thread.batch = undefined
    return batch
  }

  async #end(thread: Thread, loss: Loss): Promise<void> {
    this.#lost(thread, loss)
    await thread.worker.terminate()
  }

  #lost(thread: Thread, loss: Loss): void {
    if (!this.#threads.delete(thread)) return
    const batch = this.#release(thread)
    if (batch !== undefined) this.#settleLost(batch, loss)
    // A thread that ends before it is ready would do so again when restarted, so the waiting work is rejected.
    if (!thread.ready) for (const waiting of this.#takeWaiting()) this.#settleLost(waiting, loss)
    this.#dispatch()
  }

  #takeWaiting(): Batch[] {
    return [...this.#preferred.drain(), ...this.#others.drain()]
  }

  #settleLost(batch: Batch, loss: Loss): void {
    if ('crash' in loss) return batch.reject(new Error(`Assertions could not be evaluated: ${loss.crash}`))
    const findings = cutOff(batch.tasks, batch.findings, loss.excess)
    batch.resolve({ findings, excess: true, tookMs: this.#limitMs })
  }
}

/** The first assertion without a finding is the one that exceeded the limit; those after it were not evaluated. */
function cutOff(
  tasks: readonly AssertionTask[],
  findings: readonly AssertionFinding[],
  reason: string,
): AssertionFinding[] {
  const missing = tasks.slice(findings.length).map((_, index) => ({
    passed: false,
    actual: null,
    problem: index === 0 ? reason : `not evaluated, because of an assertion before it: ${reason}`,
  }))
  return [...findings, ...missing]
}

function toMessage(tasks: readonly AssertionTask[]): AssertionBatch {
  const subjects = [...new Set(tasks.map(({ subject }) => subject))]
  const positions = new Map(subjects.map((subject, index) => [subject, index]))
  return { subjects, tasks: tasks.map(({ subject, ...task }) => ({ ...task, subject: positions.get(subject) ?? 0 })) }
}
