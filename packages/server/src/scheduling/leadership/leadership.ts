import type { CancelTimer, Clock } from '@vedette/wire'
import type { PoolClient } from 'pg'
import type { Database } from '../../db/database.ts'
import type { SchedulingLog } from '../scheduling-log.ts'
import { createLease, lockEpoch, readLease, renewLease, takeLease, type LeaseRow } from './store.ts'

const leaseMs = 3000
const renewEveryMs = 1000

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

/** A leader's write came after its term. */
export class TermOver extends Error {}

/**
 * A role held by one process at a time: a row in the database, renewed every second, free for others after 3 s. Each
 * process measures by its own clock whether the row changes, so clocks of two hosts need not agree. Every write of the
 * leader goes through `write`, which refuses it once another epoch began: a leader that was suspended cannot do harm.
 */
export class Leadership {
  readonly #options: LeadershipOptions
  #epoch: number | undefined
  #validUntil = 0
  #seen: { lease: LeaseRow; since: number } | undefined
  #timer: CancelTimer | undefined
  #step: Promise<void> = Promise.resolve()
  /** Starts and ends of terms, one after the other; renewing does not wait for them. */
  #changes: Promise<void> = Promise.resolve()
  #running = false

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
    if (epoch !== undefined) await renewLease(this.#options.db.pool, this.#options.role, epoch, 0)
  }

  isLeading(): boolean {
    // The lock of the data directory already keeps other processes out of the embedded database.
    return this.#epoch !== undefined && (this.#isAlone() || this.#options.clock.now() < this.#validUntil)
  }

  /** Runs a transaction that commits only while this term lasts. Throws `TermOver` otherwise. */
  write<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const epoch = this.#epoch
    if (epoch === undefined) return Promise.reject(new TermOver('This process does not lead.'))
    return this.#options.db.transaction(async (client) => {
      if (!(await lockEpoch(client, this.#options.role, epoch))) throw new TermOver(`Epoch ${epoch} is over.`)
      return work(client)
    })
  }

  #isAlone(): boolean {
    return this.#options.db.kind === 'embedded'
  }

  #run(): Promise<void> {
    this.#step = this.#once().then(() => {
      if (this.#running) this.#timer = this.#options.clock.after(renewEveryMs, () => void this.#run())
    })
    return this.#step
  }

  async #once(): Promise<void> {
    try {
      if (this.#epoch === undefined) await this.#tryToLead()
      else await this.#renew(this.#epoch)
    } catch (error) {
      this.#options.log.error({ err: error }, 'The leadership lease could not be kept up.')
      if (this.#epoch !== undefined && !this.isLeading()) this.#loseTerm()
    }
  }

  /** A term continues unless another process ended it, even after a sleep: only the epoch counts. */
  async #renew(epoch: number): Promise<void> {
    const now = this.#options.clock.now()
    if (await renewLease(this.#options.db.pool, this.#options.role, epoch, now + leaseMs)) {
      this.#validUntil = now + leaseMs
    } else this.#loseTerm()
  }

  async #tryToLead(): Promise<void> {
    const { db, clock, role, holder } = this.#options
    const now = clock.now()
    const wish = { holder, expiresAt: now + leaseMs }
    const lease = await readLease(db.pool, role)
    if (lease === undefined) return this.#beginTerm(await createLease(db.pool, role, wish), now)
    if (this.#isFree(lease, now)) return this.#beginTerm(await takeLease(db.pool, role, { ...wish, seen: lease }), now)
  }

  #isFree(lease: LeaseRow, now: number): boolean {
    if (this.#isAlone() || lease.expiresAt === 0) return true
    const seen = this.#seen
    if (seen?.lease.epoch === lease.epoch && seen.lease.expiresAt === lease.expiresAt) return now - seen.since > leaseMs
    this.#seen = { lease, since: now }
    return false
  }

  #beginTerm(lease: LeaseRow | undefined, askedAt: number): void {
    if (lease === undefined) return
    this.#seen = undefined
    this.#epoch = lease.epoch
    this.#validUntil = askedAt + leaseMs
    this.#options.log.info(`${this.#options.holder} leads as ${this.#options.role}, epoch ${lease.epoch}.`)
    this.#change(() => this.#options.onGained({ epoch: lease.epoch, watermark: lease.watermark }))
  }

  #loseTerm(): void {
    if (this.#epoch === undefined) return
    this.#epoch = undefined
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
