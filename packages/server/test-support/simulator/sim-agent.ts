import { randomUUID } from 'node:crypto'
import type { CancelTimer, Clock, Job, ResultReport } from '@vedette/wire'
import { reportOfRun } from './sim-report.ts'
import type { Random } from './random.ts'
import type { Health } from './target.ts'

const renewEveryMs = 8000
const capacity = 10

/** The agent protocol as an agent calls it. Every call fails while the server is down or disconnected. */
export interface Door {
  hello(inFlight: string[], spooled: string[]): Promise<void>
  lease(free: number): Promise<Job[]>
  renew(leases: string[]): Promise<string[]>
  results(reports: ResultReport[]): Promise<{ accepted: string[]; rejected: { attemptId: string | null }[] }>
}

export interface SimAgentOptions {
  clock: Clock
  random: Random
  door(): Door
  health: (checkId: string, atMs: number) => Health
  /** Error of the agent's estimate of server time, in milliseconds. */
  skewMs: number
  onAcknowledged(attemptIds: readonly string[]): void
  onRejected(attemptIds: readonly (string | null)[]): void
}

interface Spooled {
  attemptId: string
  report: ResultReport
}

/** An agent that leases, runs, reports and spools, and misbehaves in every way the protocol allows. */
export class SimAgent {
  readonly agentId = randomUUID()
  readonly #options: SimAgentOptions
  readonly #running = new Map<string, { job: Job; cancel: CancelTimer }>()
  /** On disk: it survives a crash. */
  #spool: Spooled[] = []
  #connected = false
  #sending = false
  /** Answers to calls of an earlier life are ignored. */
  #life = 0
  #up = false
  /** While true, runs may hang, and messages are duplicated, lost and reordered. */
  wild = true

  constructor(options: SimAgentOptions) {
    this.#options = options
  }

  get idle(): boolean {
    return this.#running.size === 0 && this.#spool.length === 0
  }

  start(): void {
    if (this.#up) return
    this.#up = true
    const life = ++this.#life
    this.#connected = false
    this.#sending = false
    this.#loop(life, 0, () => this.#poll(life))
    this.#loop(life, renewEveryMs, () => this.#renew(life))
  }

  /** Clears the memory; the spool stays. */
  crash(): void {
    this.#up = false
    this.#life++
    for (const { cancel } of this.#running.values()) cancel()
    this.#running.clear()
  }

  #isLife(life: number): boolean {
    return this.#up && this.#life === life
  }

  #loop(life: number, everyMs: number, turn: () => Promise<void>): void {
    const delay = everyMs > 0 ? everyMs : this.#options.random.between(300, 1200)
    this.#options.clock.after(delay, () => {
      if (!this.#isLife(life)) return
      void turn().then(
        () => this.#loop(life, everyMs, turn),
        () => {
          this.#connected = false
          this.#loop(life, everyMs, turn)
        },
      )
    })
  }

  async #poll(life: number): Promise<void> {
    const door = this.#options.door()
    if (!this.#connected) {
      await door.hello(
        [...this.#running.keys()],
        this.#spool.map(({ attemptId }) => attemptId),
      )
      if (!this.#isLife(life)) return
      this.#connected = true
    }
    this.#deliver(life)
    const jobs = await door.lease(capacity - this.#running.size)
    if (!this.#isLife(life)) return
    for (const job of jobs) this.#run(job, life)
  }

  async #renew(life: number): Promise<void> {
    if (this.#running.size === 0) return
    const leases = [...this.#running.values()].map(({ job }) => job.lease)
    const cancelled = await this.#options.door().renew(leases)
    if (!this.#isLife(life)) return
    for (const id of cancelled) {
      this.#running.get(id)?.cancel()
      this.#running.delete(id)
    }
  }

  #run(job: Job, life: number): void {
    const { clock, random, health, skewMs } = this.#options
    if (this.#running.has(job.attemptId)) return
    const startedAt = clock.now()
    const tookMs = this.#duration()
    const found = this.wild && random.chance(0.01) ? 'internal-error' : health(job.checkId, startedAt)
    const cancel = clock.after(tookMs, () => {
      if (!this.#isLife(life)) return
      this.#running.delete(job.attemptId)
      const report = reportOfRun({ job, found, startedAt: startedAt + skewMs, tookMs, isNetwork: random.chance(0.5) })
      this.#spool.push({ attemptId: job.attemptId, report })
      this.#deliver(life)
    })
    this.#running.set(job.attemptId, { job, cancel })
  }

  /** Some runs are long enough for a kill during them, a few longer than a lease. */
  #duration(): number {
    const { random } = this.#options
    if (!this.wild || random.chance(0.7)) return random.between(20, 2000)
    return random.chance(0.9) ? random.between(3000, 15_000) : random.between(35_000, 100_000)
  }

  #deliver(life: number): void {
    if (this.#sending || this.#spool.length === 0 || !this.#isLife(life)) return
    this.#sending = true
    const delay = this.wild ? this.#options.random.between(0, 300) : 0
    this.#options.clock.after(delay, () => {
      if (!this.#isLife(life)) return
      void this.#send(life).then((delivered) => {
        if (!this.#isLife(life)) return
        this.#sending = false
        if (delivered) this.#deliver(life)
      })
    })
  }

  async #send(life: number): Promise<boolean> {
    const { random } = this.#options
    const batch = this.#spool.slice(0, 20)
    if (this.wild && random.chance(0.3)) batch.sort(() => random.next() - 0.5)
    const reports = batch.map(({ report }) => report)
    try {
      const door = this.#options.door()
      const times = this.wild && random.chance(0.05) ? 2 : 1
      const [answer] = await Promise.all(Array.from({ length: times }, () => door.results(reports)))
      if (!this.#isLife(life)) return false
      if (!answer || (this.wild && random.chance(0.05))) throw new Error('The answer was lost.')
      this.#settle(answer)
      return answer.accepted.length + answer.rejected.length > 0
    } catch {
      if (!this.#isLife(life)) return false
      for (const { report } of this.#spool) report.replayed = true
      this.#connected = false
      return false
    }
  }

  #settle({ accepted, rejected }: Awaited<ReturnType<Door['results']>>): void {
    this.#options.onAcknowledged(accepted)
    const refused = rejected.map(({ attemptId }) => attemptId)
    this.#options.onRejected(refused)
    const settled = new Set<string | null>([...accepted, ...refused])
    this.#spool = this.#spool.filter(({ attemptId }) => !settled.has(attemptId))
  }
}
