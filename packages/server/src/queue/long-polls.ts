import type { Clock } from '@vedette/wire'
import type { LeaseCall, LeasedRun } from './run-queue.ts'

/** A call for work, with the runs it was given so far. */
export interface LongPoll {
  call: LeaseCall
  taken: LeasedRun[]
  resolve(): void
}

export const newPoll = (call: LeaseCall): LongPoll => ({ call, taken: [], resolve: () => undefined })

/** Agents that wait for their first run. */
export class LongPolls {
  readonly #clock: Clock
  readonly #polls = new Set<LongPoll>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Resolves when the poll was given a run, was aborted, or timed out. */
  wait(poll: LongPoll): Promise<void> {
    const { call } = poll
    return new Promise((resolve) => {
      const finish = (): void => {
        this.#polls.delete(poll)
        cancel()
        call.signal.removeEventListener('abort', finish)
        resolve()
      }
      const cancel = this.#clock.after(call.waitMs, finish)
      poll.resolve = finish
      call.signal.addEventListener('abort', finish)
      this.#polls.add(poll)
    })
  }

  /** Gives every waiting agent one run in turn until `takeOne` returns false for all. */
  offer(takeOne: (poll: LongPoll) => boolean): void {
    if (this.#polls.size === 0) return
    let given = true
    while (given) {
      given = false
      for (const poll of this.#polls) given = takeOne(poll) || given
    }
    for (const poll of this.#polls) if (poll.taken.length > 0) poll.resolve()
  }

  /** Ends all of them with the runs they have. */
  end(): void {
    for (const poll of this.#polls) poll.resolve()
  }
}
