import type { WorkerClass } from '@vedette/wire'
import type { RunRef } from '../runs.ts'
import type { RunItem } from './run-items.ts'
import type { LeaseCall, LeasedRun } from './run-queue.ts'
import { WaitingLine } from './waiting-line.ts'

/** Waiting runs, in one line per location and worker class. */
export class WaitingLines {
  readonly #lines = new Map<string, WaitingLine<RunItem>>()

  push(item: RunItem, ref: RunRef): void {
    this.#line(ref).push(item)
  }

  /** Puts a run first, because it has waited already. */
  pushFirst(item: RunItem, ref: RunRef): void {
    this.#line(ref).pushFirst(item)
  }

  /** The longest waiting run of those that the caller has capacity for beside `taken`, and that `accepts` takes. */
  oldestFor(call: LeaseCall, taken: readonly LeasedRun[], accepts: (item: RunItem) => boolean): RunItem | undefined {
    let oldest: RunItem | undefined
    for (const workerClass of Object.keys(call.free) as WorkerClass[]) {
      const used = taken.filter(({ ref }) => ref.workerClass === workerClass).length
      if (used >= (call.free[workerClass] ?? 0)) continue
      for (const location of call.locations) {
        const item = this.#lines.get(nameOf({ location, workerClass }))?.peek(accepts)
        if (item !== undefined && (oldest === undefined || item.since < oldest.since)) oldest = item
      }
    }
    return oldest
  }

  clear(): void {
    this.#lines.clear()
  }

  #line(ref: RunRef): WaitingLine<RunItem> {
    const name = nameOf(ref)
    let line = this.#lines.get(name)
    if (line === undefined) this.#lines.set(name, (line = new WaitingLine((item) => item.state !== 'waiting')))
    return line
  }
}

const nameOf = ({ location, workerClass }: Pick<RunRef, 'location' | 'workerClass'>): string =>
  `${workerClass} ${location}`
