import type { LocationId, WorkerClass } from '@vedette/wire'
import type { RunRef } from '../runs.ts'
import type { RunItem } from './run-items.ts'
import type { LeaseCall, LeasedRun, Urgency } from './run-queue.ts'
import { WaitingLine } from './waiting-line.ts'

/**
 * A run counts as if it had waited this much longer. Less than the time after which a run is missed, so that steady ones
 * have their turn before; what is best was measured with fleets that need ten and twenty times their slots. A check whose
 * run was missed goes before the others, or the same ones miss their runs again and again: due times, and the time that
 * a silent target takes, are regular.
 */
const headStartMs: Record<Urgency, number> = { overdue: 240_000, urgent: 120_000, steady: 0 }

interface Line {
  workerClass: WorkerClass
  urgency: Urgency
  items: WaitingLine<RunItem>
}

/** Waiting runs, in one line per location, worker class and urgency. */
export class WaitingLines {
  readonly #lines = new Map<LocationId, Line[]>()

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
    const left = { ...call.free }
    for (const { ref } of taken) left[ref.workerClass] = (left[ref.workerClass] ?? 0) - 1
    let first: RunItem | undefined
    for (const lines of this.#linesAt(call.locations)) {
      for (const { workerClass, items } of lines) {
        if ((left[workerClass] ?? 0) <= 0) continue
        const item = items.peek(accepts)
        if (item !== undefined && (first === undefined || rank(item) < rank(first))) first = item
      }
    }
    return first
  }

  clear(): void {
    this.#lines.clear()
  }

  /** An agent may serve one of many locations, or many of which few have runs. */
  #linesAt(locations: ReadonlySet<LocationId>): Line[][] {
    if (locations.size < this.#lines.size)
      return [...locations].flatMap((location) => [this.#lines.get(location) ?? []])
    return [...this.#lines].filter(([location]) => locations.has(location)).map(([, lines]) => lines)
  }

  #line({ location, workerClass }: Pick<RunRef, 'location' | 'workerClass'>, urgency: Urgency): WaitingLine<RunItem> {
    const lines = this.#lines.get(location) ?? []
    this.#lines.set(location, lines)
    const known = lines.find((line) => line.workerClass === workerClass && line.urgency === urgency)
    if (known !== undefined) return known.items
    const items = new WaitingLine(lineOptions)
    lines.push({ workerClass, urgency, items })
    return items
  }
}

const rank = ({ since, urgency }: RunItem): number => since - headStartMs[urgency]

const lineOptions = {
  isGone: (item: RunItem) => item.state !== 'waiting',
  ownerOf: (item: RunItem) => item.ref?.checkId ?? item.id,
}
