import type { CancelTimer, Clock } from '@vedette/wire'
import type { PoolClient } from 'pg'
import type { Database, Queryable } from '../../db/database.ts'
import { answeredWithin } from '../../db/silence.ts'
import { TermOver, type Fence } from '../../runs.ts'
import type { SchedulingLog } from '../scheduling-log.ts'
import { createLease, lockEpoch, readLease, renewLease, takeLease, writeWatermarkOf, type LeaseRow } from './store.ts'

/** With the times below a standby leads within 3 s after the last renewal. */
const leaseMs = 2000
const renewEveryMs = 500
const lookEveryMs = 250
/** Where no other process can lead, the lease only shows that the server runs and that it can be stored. */
const aloneEveryMs = 5000
/** A renewal that takes longer than this is of no use: its connection is given up, so that the next try has another. */
const answerMs = 1500
/** The longest pause between two statements of a leader's transaction, shorter than the lease. */
const idleMs = 1500

export interface LeadershipOptions {
  db: Database
  clock: Clock
  role: string
  /** Name of this process, for people. */
  holder: string
  log: SchedulingLog
  /** This process leads from now on. `watermark` is the last one stored by the leader before. */
  onGained: (term: { epoch: number; watermark: number | undefined }) => Promise<void>
  /** Called before the next term begins. */
  onLost: () => Promise<void>
}

const notLeading: Fence = () => Promise.reject(new TermOver('This process does not lead.'))

interface Moment {
  monotonic: number
  wall: number
}

/**
 * A role held by one process at a time: a row in the database, renewed twice a second, free for others after 2 s. Each
 * process measures by its own clock whether the row changes, so clocks of two hosts need not agree. Every write of the
 * leader goes through `write` or a `fence`, which refuse it once another epoch began: a leader that was suspended cannot
 * do harm.
 */
export class Leadership {
  readonly #options: LeadershipOptions
  #epoch: number | undefined
  #fence: Fence | undefined
  /** The end of the term unless it is renewed, by either clock: the monotonic one stops while a machine is suspended. */
  #validUntil = { monotonic: 0, wall: 0 }
  #seen: { lease: LeaseRow; since: number } | undefined
  #timer: CancelTimer | undefined
  #step: Promise<void> = Promise.resolve()
  /** Starts and ends of terms, one after the other; renewing does not wait for them. */
  #changes: Promise<void> = Promise.resolve()
  #running = false
  #fault: string | undefined

  constructor(options: LeadershipOptions) {
    this.#options = options
  }

  /** Resolves after the first try: on the embedded database this process then leads. */
  async start(): Promise<void> {
    this.#running = true
    await this.#run()
    await this.#changes
  }

  /** Steps down, so that another process can lead at once. */
  async stop(): Promise<void> {
    this.#running = false
    this.#timer?.()
    await this.#step
    const epoch = this.#epoch
    this.#loseTerm()
    await this.#changes
    if (epoch !== undefined) await renewLease(this.#lease, this.#options.role, epoch, 0)
  }

  isLeading(): boolean {
    return this.leadsForMs() > 0
  }

  /** How long this process leads even if its lease is not renewed; 0 when it does not, Infinity where no other can. */
  leadsForMs(): number {
    if (this.#epoch === undefined) return 0
    // The lock of the data directory already keeps other processes out of the embedded database.
    if (this.#isAlone()) return Infinity
    const { clock } = this.#options
    const { monotonic, wall } = this.#validUntil
    return Math.max(0, Math.min(monotonic - clock.monotonic(), wall - clock.now()))
  }

  /** Why the last try to take or to renew the lease failed; undefined when it did not. */
  fault(): string | undefined {
    return this.#fault
  }

  /** Runs a transaction that commits only while this term lasts. Throws `TermOver` otherwise. */
  write<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const epoch = this.#epoch
    if (epoch === undefined) return Promise.reject(new TermOver('This process does not lead.'))
    return this.#options.db.transaction(async (client) => {
      await this.#hold(client, epoch)
      return work(client)
    })
  }

  /** Stores how far the schedule has come, and nothing else. Throws `TermOver` when this term is over. */
  async writeWatermark(watermark: number): Promise<void> {
    const epoch = this.#epoch
    const { db, role } = this.#options
    if (epoch === undefined) throw new TermOver('This process does not lead.')
    if (!(await writeWatermarkOf(db.pool, { role, epoch, watermark }))) throw new TermOver(`Epoch ${epoch} is over.`)
  }

  /**
   * The same as `write` for a transaction of another part: it belongs to the current term. Undefined where no other process can
   * lead.
   */
  fence(): Fence | undefined {
    return this.#isAlone() ? undefined : (this.#fence ?? notLeading)
  }

  async #hold(client: Queryable, epoch: number): Promise<void> {
    const { role } = this.#options
    const held = await lockEpoch(client, { role, epoch, idleMs: this.#isAlone() ? 0 : idleMs })
    if (!held) throw new TermOver(`Epoch ${epoch} is over.`)
  }

  /** The connection for the lease itself. */
  get #lease(): Queryable {
    const { db } = this.#options
    return this.#isAlone() ? db.pool : answeredWithin(db.pool, answerMs)
  }

  /** Counted from the moment before the lease was written. */
  #validFrom({ monotonic, wall }: Moment): void {
    this.#validUntil = { monotonic: monotonic + leaseMs, wall: wall + leaseMs }
  }

  #moment(): Moment {
    const { clock } = this.#options
    return { monotonic: clock.monotonic(), wall: clock.now() }
  }

  #isAlone(): boolean {
    return this.#options.db.kind === 'embedded'
  }

  #run(): Promise<void> {
    this.#step = this.#once().then(() => {
      if (this.#running) this.#timer = this.#options.clock.after(this.#pauseMs(), () => void this.#run())
    })
    return this.#step
  }

  #pauseMs(): number {
    if (this.#isAlone()) return aloneEveryMs
    return this.#epoch === undefined ? lookEveryMs : renewEveryMs
  }

  async #once(): Promise<void> {
    try {
      if (this.#epoch === undefined) await this.#tryToLead()
      else await this.#renew(this.#epoch)
      this.#fault = undefined
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      // Tries follow each other several times a second, and a trouble may last for days.
      if (reason !== this.#fault)
        this.#options.log.error({ err: error }, 'The lease of the schedule could not be renewed; trying again.')
      this.#fault = reason
      if (this.#epoch !== undefined && !this.isLeading()) this.#loseTerm()
    }
  }

  /** A term continues unless another process ended it, even after a sleep: only the epoch counts. */
  async #renew(epoch: number): Promise<void> {
    const asked = this.#moment()
    if (await renewLease(this.#lease, this.#options.role, epoch, asked.wall + leaseMs)) this.#validFrom(asked)
    else this.#loseTerm()
  }

  async #tryToLead(): Promise<void> {
    const { db, role, holder } = this.#options
    const lease = await readLease(this.#lease, role)
    const asked = this.#moment()
    const wish = { holder, expiresAt: asked.wall + leaseMs }
    if (lease === undefined) return this.#beginTerm(await createLease(this.#lease, role, wish), asked)
    if (!this.#isFree(lease, asked.monotonic)) return
    this.#beginTerm(await db.transaction((client) => takeLease(client, role, { ...wish, seen: lease })), asked)
  }

  #isFree(lease: LeaseRow, now: number): boolean {
    if (this.#isAlone() || lease.expiresAt === 0) return true
    const seen = this.#seen
    if (seen?.lease.epoch === lease.epoch && seen.lease.expiresAt === lease.expiresAt) return now - seen.since > leaseMs
    this.#seen = { lease, since: now }
    return false
  }

  #beginTerm(lease: LeaseRow | undefined, asked: Moment): void {
    if (lease === undefined) return
    this.#seen = undefined
    this.#epoch = lease.epoch
    this.#fence = (client) => this.#hold(client, lease.epoch)
    this.#validFrom(asked)
    this.#options.log.info(`${this.#options.holder} leads as ${this.#options.role}, epoch ${lease.epoch}.`)
    this.#change(() => this.#options.onGained({ epoch: lease.epoch, watermark: lease.watermark }))
  }

  #loseTerm(): void {
    if (this.#epoch === undefined) return
    this.#epoch = undefined
    this.#fence = undefined
    this.#options.log.info(`${this.#options.holder} no longer leads as ${this.#options.role}.`)
    this.#change(() => this.#options.onLost())
  }

  #change(work: () => Promise<void>): void {
    this.#changes = this.#changes.then(work).catch((error: unknown) => {
      this.#options.log.error({ err: error }, `A change of the ${this.#options.role} role failed.`)
      this.#loseTerm()
    })
  }
}
