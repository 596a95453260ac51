import type { WorkerClass } from '@vedette/wire'
import type { RunRef } from '../runs.ts'
import type { RunItem } from './run-items.ts'
import type { LeaseCall, LeasedRun, Urgency } from './run-queue.ts'
import { WaitingLine } from './waiting-line.ts'

/**
 * An urgent run counts as if it had waited this much longer. Less than the time after which a run is missed, so that
 * steady ones have their turn before; what is best was measured with fleets that need ten and twenty times their slots.
 */
const headStartMs = 120_000

/** Waiting runs, in one line per location, worker class and urgency. */
export class WaitingLines {
  readonly #lines = new Map<string, WaitingLine<RunItem>>()

  push(item: RunItem, ref: RunRef): void {
    this.#line(ref, item.urgency).push(item)
  }

  /** Puts a run first, because it has waited already. */
  pushFirst(item: RunItem, ref: RunRef): void {
    this.#line(ref, item.urgency).pushFirst(item)
  }

  /**
   * The run whose turn it is, of those that the caller has capacity for beside `taken`, and that `accepts` takes: the
   * longest waiting, where urgent runs have a head start.
   */
  take(call: LeaseCall, taken: readonly LeasedRun[], accepts: (item: RunItem) => boolean): RunItem | undefined {
    const classes = (Object.keys(call.free) as WorkerClass[]).filter(
      (one) => taken.filter(({ ref }) => ref.workerClass === one).length < (call.free[one] ?? 0),
    )
    const urgent = this.#oldest('urgent', call, classes, accepts)
    const steady = this.#oldest('steady', call, classes, accepts)
    if (urgent === undefined || steady === undefined) return urgent ?? steady
    return urgent.since - headStartMs <= steady.since ? urgent : steady
  }

  clear(): void {
    this.#lines.clear()
  }

  #oldest(
    urgency: Urgency,
    { locations }: LeaseCall,
    classes: readonly WorkerClass[],
    accepts: (item: RunItem) => boolean,
  ): RunItem | undefined {
    let oldest: RunItem | undefined
    for (const workerClass of classes) {
      for (const location of locations) {
        const item = this.#lines.get(nameOf({ location, workerClass }, urgency))?.peek(accepts)
        if (item !== undefined && (oldest === undefined || item.since < oldest.since)) oldest = item
      }
    }
    return oldest
  }

  #line(ref: RunRef, urgency: Urgency): WaitingLine<RunItem> {
    const name = nameOf(ref, urgency)
    let line = this.#lines.get(name)
    if (line === undefined) this.#lines.set(name, (line = new WaitingLine(lineOptions)))
    return line
  }
}

const lineOptions = {
  isGone: (item: RunItem) => item.state !== 'waiting',
  ownerOf: (item: RunItem) => item.ref?.checkId ?? item.id,
}

const nameOf = ({ location, workerClass }: Pick<RunRef, 'location' | 'workerClass'>, urgency: Urgency): string =>
  `${urgency} ${workerClass} ${location}`
