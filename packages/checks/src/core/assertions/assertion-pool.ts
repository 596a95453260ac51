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

/** Most assertion lists whose cost is remembered. */
const knownLimit = 20_000
/** Assertions that take longer leave the thread that all checks share. */
const quickMs = 150
/** Share of its former cost that a list keeps at least: one quick run does not make a slow list quick. */
const costKept = 0.7
/** Most batches of one check that wait for the slow thread. */
const waitingPerCheck = 10
/** Longest wait for the slow thread, as far as costs tell: a run must end before its agent gives it up. */
const slowWaitMs = 20_000

/** The check is part of the key, because the same assertions may be slow on the target of one check only. */
const keyOf = (owner: string, tasks: readonly AssertionTask[]) =>
  JSON.stringify([
    owner,
    ...tasks.map(({ assertion: { source, comparison, property, regex } }) => [source, comparison, property, regex]),
  ])

/**
 * Evaluates assertions outside of the probe threads and under a time limit. What takes long is moved to a thread of its
 * own and goes there from then on, so that a check with quick assertions waits for no more than what runs. In both
 * threads checks take turns.
 */
export class AssertionPool {
  readonly #usual: AssertionThreads
  readonly #slow: AssertionThreads
  /** Milliseconds that lists of assertions took lately. */
  readonly #costs = new LRUCache<string, number>({ max: knownLimit })
  readonly #limitMs: number
  #slowWaitMs = 0

  constructor({ clock, size = 1, limitMs = 1000 }: AssertionPoolOptions) {
    this.#limitMs = limitMs
    this.#usual = new AssertionThreads({ clock, size, limitMs: Math.min(limitMs, quickMs) })
    this.#slow = new AssertionThreads({ clock, size: 1, limitMs })
  }

  /**
   * Answers one finding per task of the check `owner`, in order. An assertion that takes too much time or memory fails.
   * Rejects on an internal error, and when the wait for the slow thread would be too long.
   */
  async evaluate(tasks: readonly AssertionTask[], owner = ''): Promise<AssertionFinding[]> {
    if (tasks.length === 0) return []
    const key = keyOf(owner, tasks)
    const cost = this.#costs.get(key)
    if (cost === undefined || cost <= quickMs) {
      const { findings, excess, tookMs } = await this.#usual.evaluate(tasks, { owner, first: cost !== undefined })
      if (!excess) {
        this.#note(key, tookMs)
        return findings
      }
      this.#note(key, this.#limitMs)
    }
    return await this.#evaluateSlowly(tasks, owner, key)
  }

  /** Ends all threads. Batches under way are rejected. */
  async stop(): Promise<void> {
    await Promise.all([this.#usual.stop(), this.#slow.stop()])
  }

  #note(key: string, tookMs: number): void {
    this.#costs.set(key, Math.max(tookMs, (this.#costs.get(key) ?? 0) * costKept))
  }

  async #evaluateSlowly(tasks: readonly AssertionTask[], owner: string, key: string): Promise<AssertionFinding[]> {
    const cost = this.#costs.get(key) ?? this.#limitMs
    if (this.#slow.waitingOf(owner) >= waitingPerCheck || this.#slowWaitMs > slowWaitMs) {
      throw new Error(`Its assertions took ${Math.round(cost)} ms before, and too many like them are waiting`)
    }
    this.#slowWaitMs += cost
    try {
      const { findings, tookMs } = await this.#slow.evaluate(tasks, { owner, first: false })
      this.#note(key, tookMs)
      return findings
    } finally {
      this.#slowWaitMs -= cost
    }
  }
}
