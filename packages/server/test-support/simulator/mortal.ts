import type { CancelTimer, Clock } from '@vedette/wire'
import type { Pool, PoolClient } from 'pg'
import type { Database, Queryable } from '../../src/db/database.ts'
import { letPromisesRun } from '../clock.ts'

/** Counts database work in progress, so that simulated time stands still meanwhile. */
export class Traffic {
  #count = 0
  #quiet: (() => void)[] = []

  async track<T>(work: Promise<T>): Promise<T> {
    this.#count++
    try {
      return await work
    } finally {
      if (--this.#count === 0) for (const resolve of this.#quiet.splice(0)) resolve()
    }
  }

  /** Resolves when no work is in progress and none follows from it. */
  async settled(): Promise<void> {
    for (let calm = 0; calm < 2; calm++) {
      if (this.#count > 0) {
        await new Promise<void>((resolve) => this.#quiet.push(resolve))
        calm = -1
      }
      await letPromisesRun()
      if (this.#count > 0) calm = -1
    }
  }
}

class Killed extends Error {}

const never = <T>(): Promise<T> => new Promise<T>(() => undefined)

/**
 * The life of one simulated process. When it ends, its calls in progress never return, its timers never fire, and
 * uncommitted transactions roll back, as after kill -9.
 */
export class Life {
  #alive = true
  #callsLeft = Infinity
  #answersToLose = 0
  readonly #onEnd: ((reason: Error) => void)[] = []
  onDeath: () => void = () => undefined
  onLostAnswer: () => void = () => undefined

  get alive(): boolean {
    return this.#alive
  }

  /** Dies at the n-th call to the database from now, which may be a COMMIT: before it or right after. */
  dieAfter(calls: number): void {
    this.#callsLeft = calls
  }

  /** The connection breaks during the next `count` COMMITs: they succeed, and their answers are lost. */
  loseAnswers(count: number): void {
    this.#answersToLose = count
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
    for (const end of this.#onEnd.splice(0)) end(new Killed('The process was killed.'))
    this.onDeath()
  }

  /** One step of the process; false at its last. */
  step(): boolean {
    if (this.#alive && --this.#callsLeft <= 0) this.die()
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

/** The clock of a process that may be killed. */
export const mortalClock = (clock: Clock, life: Life): Clock => ({
  now: () => clock.now(),
  monotonic: () => clock.monotonic(),
  after: (delayMs: number, call: () => void): CancelTimer =>
    clock.after(delayMs, () => {
      if (life.alive) call()
    }),
})

/** The database of a process that may be killed at any of its calls. */
export function mortalDatabase(db: Database, life: Life, traffic: Traffic): Database {
  const guarded = async <T>(call: () => Promise<T>): Promise<T> => {
    if (!life.step()) return never()
    const answer = await traffic.track(call())
    return life.alive ? answer : never()
  }
  const querying = (target: Queryable) =>
    ((...args: unknown[]) =>
      guarded(() => Reflect.apply(target.query, target, args) as Promise<unknown>)) as unknown as Queryable['query']
  const pool = { query: querying(db.pool) } as unknown as Pool

  const committing = async <T>(work: (client: PoolClient) => Promise<T>): Promise<T> => {
    const { comes, forget } = life.death()
    try {
      return await db.transaction(async (client) => {
        const own = { query: querying(client) } as unknown as PoolClient
        const answer = await Promise.race([work(own), comes])
        if (!life.step()) throw new Killed('Killed before COMMIT.')
        return answer
      })
    } finally {
      forget()
    }
  }
  return {
    ...db,
    pool,
    async transaction(work) {
      if (!life.step()) return never()
      try {
        const answer = await traffic.track(committing(work))
        if (life.takeLostAnswer()) throw new Error('Connection terminated unexpectedly')
        return life.step() ? answer : await never()
      } catch (error) {
        return life.alive ? Promise.reject(error) : never()
      }
    },
  }
}
