import type { CancelTimer, Clock } from '@vedette/wire'
import type { Pool, PoolClient } from 'pg'
import type { Database, Queryable, TransactionOptions } from '../../src/db/database.ts'
import { letPromisesRun } from '../clock.ts'

/** Turns of the event loop in which an HTTP request without a socket is read, handled and answered. */
const turnsOfRequest = 8

/** Counts work in progress on database and disk, so that simulated time stands still meanwhile. */
export class Traffic {
  #count = 0
  #quiet: (() => void)[] = []
  #turns = 0

  async track<T>(work: Promise<T>): Promise<T> {
    this.#count++
    try {
      return await work
    } finally {
      if (--this.#count === 0) for (const resolve of this.#quiet.splice(0)) resolve()
    }
  }

  /** A request is on its way through the event loop: it may wait for simulated time and cannot be awaited. */
  stir(): void {
    this.#turns = turnsOfRequest
  }

  /** Resolves when no work is in progress and none follows from it. */
  async settled(): Promise<void> {
    for (let calm = 0; calm < 2 || this.#turns > 0; calm++) {
      if (this.#count > 0) {
        await new Promise<void>((resolve) => this.#quiet.push(resolve))
        calm = -1
      }
      this.#turns = Math.max(0, this.#turns - 3)
      await letPromisesRun()
      if (this.#count > 0) calm = -1
    }
  }
}

class Killed extends Error {}

const never = <T>(): Promise<T> => new Promise<T>(() => undefined)

/**
 * The life of one simulated process. When it ends, its calls in progress never return, its timers never fire, and
 * uncommitted transactions roll back, as after kill -9. While it is paused, as by SIGSTOP, time goes on without it:
 * timers and answers wait for it. A pause waits for the end of a transaction.
 */
export class Life {
  #alive = true
  #callsLeft = Infinity
  #callsToPause = Infinity
  #answersToLose = 0
  #paused = false
  #backlog: (() => void)[] = []
  readonly #onEnd: ((reason: Error) => void)[] = []
  onDeath: () => void = () => undefined
  onPause: () => void = () => undefined
  onLostAnswer: () => void = () => undefined

  get alive(): boolean {
    return this.#alive
  }

  /** Alive and not paused. */
  get running(): boolean {
    return this.#alive && !this.#paused
  }

  /** Dies at the n-th call to the database from now, which may be a COMMIT: before it or right after. */
  dieAfter(calls: number): void {
    this.#callsLeft = calls
  }

  /** Is paused at the n-th call to the database from now. */
  pauseAfter(calls: number): void {
    this.#callsToPause = calls
  }

  /** The connection breaks during the next `count` COMMITs: they succeed, and their answers are lost. */
  loseAnswers(count: number): void {
    this.#answersToLose = count
  }

  get losesAnswers(): boolean {
    return this.#answersToLose > 0
  }

  /** True once for each answer to be lost. */
  takeLostAnswer(): boolean {
    if (this.#answersToLose === 0) return false
    this.#answersToLose--
    this.onLostAnswer()
    return true
  }

  die(): void {
    if (!this.#alive) return
    this.#alive = false
    this.#backlog = []
    for (const end of this.#onEnd.splice(0)) end(new Killed('The process was killed.'))
    this.onDeath()
  }

  pause(): void {
    if (!this.#alive || this.#paused) return
    this.#paused = true
    this.onPause()
  }

  resume(): void {
    this.#paused = false
    while (!this.#paused && this.#backlog.length > 0) this.#backlog.shift()?.()
  }

  /** Calls when the process runs: now, after its pause, or never. */
  run(call: () => void): void {
    if (this.#paused) this.#backlog.push(call)
    else if (this.#alive) call()
  }

  /** Resolves when the process runs. */
  async awake(): Promise<void> {
    while (!this.running) await new Promise<void>((resolve) => this.run(resolve))
  }

  /** One step of the process; false at its last. */
  step(): boolean {
    if (this.#alive && --this.#callsLeft <= 0) this.die()
    if (this.#alive && --this.#callsToPause <= 0) {
      this.#callsToPause = Infinity
      this.pause()
    }
    return this.#alive
  }

  /** Rejects at the end of this life. Call `forget` when it is not awaited any more. */
  death(): { comes: Promise<never>; forget: () => void } {
    let end: (reason: Error) => void = () => undefined
    const comes = new Promise<never>((_, reject) => (end = reject))
    // It may reject before it is awaited.
    comes.catch(() => undefined)
    if (this.#alive) this.#onEnd.push(end)
    else end(new Killed('The process was killed before.'))
    return { comes, forget: () => void this.#onEnd.splice(this.#onEnd.indexOf(end) >>> 0, 1) }
  }
}

/** The clock of a process that may be killed and paused. */
export const mortalClock = (clock: Clock, life: Life): Clock => ({
  now: () => clock.now(),
  monotonic: () => clock.monotonic(),
  after(delayMs: number, call: () => void): CancelTimer {
    let cancelled = false
    const cancel = clock.after(delayMs, () =>
      life.run(() => {
        if (!cancelled) call()
      }),
    )
    return () => {
      cancelled = true
      cancel()
    }
  },
})

/** The database of a process that may be killed or paused at any of its calls. */
export function mortalDatabase(db: Database, life: Life, traffic: Traffic): Database {
  const guarded = async <T>(call: () => Promise<T>, between: () => Promise<void>): Promise<T> => {
    if (!life.step()) return never()
    await between()
    try {
      const answer = await traffic.track(call())
      await between()
      return life.alive ? answer : await never()
    } catch (error) {
      await between()
      return life.alive ? Promise.reject(error) : never()
    }
  }
  const querying = (target: Queryable, between: () => Promise<void>) =>
    ((...args: unknown[]) =>
      guarded(
        () => Reflect.apply(target.query, target, args) as Promise<unknown>,
        between,
      )) as unknown as Queryable['query']
  const awake = () => life.awake()
  const atOnce = () => Promise.resolve()
  const pool = { query: querying(db.pool, awake) } as unknown as Pool

  const committing = async <T>(work: (client: PoolClient) => Promise<T>, options?: TransactionOptions): Promise<T> => {
    const { comes, forget } = life.death()
    try {
      return await db.transaction(async (client) => {
        const own = { query: querying(client, atOnce) } as unknown as PoolClient
        const answer = await Promise.race([work(own), comes])
        if (!life.step()) throw new Killed('Killed before COMMIT.')
        return answer
      }, options)
    } finally {
      forget()
    }
  }
  return {
    ...db,
    pool,
    async transaction(work, options) {
      if (!life.step()) return never()
      await life.awake()
      try {
        const answer = await traffic.track(committing(work, options))
        if (life.takeLostAnswer()) throw new Error('Connection terminated unexpectedly')
        await life.awake()
        return life.step() ? answer : await never()
      } catch (error) {
        await life.awake()
        return life.alive ? Promise.reject(error) : never()
      }
    },
  }
}
