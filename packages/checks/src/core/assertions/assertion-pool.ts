import type { Clock } from '@vedette/wire'
import { LRUCache } from 'lru-cache'
import { AssertionThreads } from './assertion-threads.ts'
import type { AssertionFinding, AssertionTask } from './assertions.ts'

export interface AssertionPoolOptions {
  clock: Clock
  /** Most threads for assertions that are not known to be slow. A thread starts when it has work. */
  size?: number
  /** Longest time in milliseconds that the assertions of one run may take together. */
  limitMs?: number
}

/** Most assertion lists that are remembered as slow. */
const knownLimit = 1000
/** Most batches that wait for the slow thread. A batch behind more of them would not end within its limit. */
const slowQueueLimit = 10

/** The check is part of the key, because the same assertions may be slow on the target of one check only. */
const keyOf = (owner: string, tasks: readonly AssertionTask[]) =>
  JSON.stringify([
    owner,
    ...tasks.map(({ assertion: { source, comparison, property, regex } }) => [source, comparison, property, regex]),
  ])

/**
 * Evaluates assertions outside of the probe threads and under a time limit. Assertions that exceeded the limit before
 * share one slow thread, so that they do not delay those of other checks.
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

  /**
   * Answers one finding per task of the check `owner`, in order. An assertion that takes too much time or memory fails.
   * Rejects on an internal error, and when the queue of the slow thread is full.
   */
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
