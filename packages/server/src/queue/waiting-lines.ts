import type { WorkerClass } from '@vedette/wire'
import type { RunRef } from '../runs.ts'
import type { RunItem } from './run-items.ts'
import { urgencies, type LeaseCall, type LeasedRun, type Urgency } from './run-queue.ts'
import { WaitingLine } from './waiting-line.ts'

/**
 * A run counts as if it had waited this much longer. Less than the time after which a run is missed, so that steady ones
 * have their turn before; what is best was measured with fleets that need ten and twenty times their slots. A check whose
 * run was missed goes before the others, or the same ones miss their runs again and again: due times, and the time that
 * a silent target takes, are regular.
 */
const headStartMs: Record<Urgency, number> = { overdue: 240_000, urgent: 120_000, steady: 0 }

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
   * longest waiting, where urgent and overdue runs have a head start.
   */
  take(call: LeaseCall, taken: readonly LeasedRun[], accepts: (item: RunItem) => boolean): RunItem | undefined {
    const classes = (Object.keys(call.free) as WorkerClass[]).filter(
      (one) => taken.filter(({ ref }) => ref.workerClass === one).length < (call.free[one] ?? 0),
    )
    return urgencies
      .flatMap((urgency) => this.#oldest(urgency, call, classes, accepts) ?? [])
      .reduce<RunItem | undefined>((first, next) => (first && rank(first) <= rank(next) ? first : next), undefined)
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

const rank = ({ since, urgency }: RunItem): number => since - headStartMs[urgency]

const lineOptions = {
  isGone: (item: RunItem) => item.state !== 'waiting',
  ownerOf: (item: RunItem) => item.ref?.checkId ?? item.id,
}

const nameOf = ({ location, workerClass }: Pick<RunRef, 'location' | 'workerClass'>, urgency: Urgency): string =>
  `${urgency} ${workerClass} ${location}`
