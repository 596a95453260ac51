import type { Clock } from '@vedette/wire'
import { LRUCache } from 'lru-cache'
import { AssertionThreads } from './assertion-threads.ts'
import type { AssertionFinding, AssertionTask } from './assertions.ts'

export interface AssertionPoolOptions {
  clock: Clock
  /** Threads for assertions that behave; they start when work comes. */
  size?: number
  /** How long the assertions of one run may take together. */
  limitMs?: number
}

/** Assertions known to be slow, at most. */
const knownLimit = 1000
/** Batches that wait for the slow thread, at most: more could not end in time. */
const slowQueueLimit = 10

/** The same assertions may be slow on one target only, so what is known of a check is known of no other. */
const keyOf = (owner: string, tasks: readonly AssertionTask[]) =>
  JSON.stringify([
    owner,
    ...tasks.map(({ assertion: { source, comparison, property, regex } }) => [source, comparison, property, regex]),
  ])

/**
 * Evaluates assertions off the probe threads under a time limit. Those that exceeded it before share one slow thread, so
 * that a check that burns time costs other checks nothing.
 */
export class AssertionPool {
  readonly #usual: AssertionThreads
  readonly #slow: AssertionThreads
  readonly #known = new LRUCache<string, true>({ max: knownLimit })
  readonly #limitMs: number

  constructor({ clock, size = 1, limitMs = 1000 }: AssertionPoolOptions) {
    this.#limitMs = limitMs
    this.#usual = new AssertionThreads({ clock, size, limitMs })
    this.#slow = new AssertionThreads({ clock, size: 1, limitMs })
  }

  /** One finding per task of the check `owner`, in order. Too much time or memory fails the assertion; a rejection is trouble of ours, a full slow queue too. */
  async evaluate(tasks: readonly AssertionTask[], owner = ''): Promise<AssertionFinding[]> {
    if (tasks.length === 0) return []
    const key = keyOf(owner, tasks)
    const known = this.#known.has(key)
    if (known && this.#slow.waiting >= slowQueueLimit) {
      throw new Error(
        `Its assertions took longer than ${this.#limitMs} ms before, and too many like them are waiting for their thread`,
      )
    }
    const { findings, excess } = await (known ? this.#slow : this.#usual).evaluate(tasks)
    if (excess) this.#known.set(key, true)
    else this.#known.delete(key)
    return findings
  }

  /** Ends all threads. Batches under way are rejected. */
  async stop(): Promise<void> {
    await Promise.all([this.#usual.stop(), this.#slow.stop()])
  }
}
