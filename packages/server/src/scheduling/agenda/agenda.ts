import type { PendingRun } from '../../runs.ts'
import { DueHeap } from './heap.ts'
import {
  comingSlot,
  dueOf,
  dueSlots,
  timetableOf,
  type DueSlots,
  type ScheduledCheck,
  type Timetable,
} from '../schedule-entry.ts'

/** The longest back-off of a retry. Source: bounds of the retry strategy. */
const longestBackOffMs = 600_000

interface CheckEntry {
  kind: 'check'
  check: ScheduledCheck
  timetable: Timetable
  /** The next slot to run. */
  slot: number
}
interface OneShotEntry {
  kind: 'one-shot'
  run: PendingRun
}
type Entry = CheckEntry | OneShotEntry

/** An entry that is due: slots of a check, or a one-shot. */
export type Due =
  | { kind: 'check'; check: ScheduledCheck; timetable: Timetable; slots: DueSlots }
  | { kind: 'one-shot'; run: PendingRun }

/**
 * What runs next: checks by their slots and one-shots by their time, in one heap. It has no clock and starts nothing.
 */
export class Agenda {
  readonly #entries: (Entry | undefined)[] = []
  readonly #free: number[] = []
  readonly #checks = new Map<string, number>()
  readonly #oneShots = new Map<string, number>()
  #heap = new DueHeap()

  get size(): number {
    return this.#heap.size
  }

  /** Due time of the first slot or one-shot to come; Infinity when nothing is planned. */
  firstDue(): number {
    return this.#heap.firstDue()
  }

  check(checkId: string): ScheduledCheck | undefined {
    const entry = this.#entries[this.#checks.get(checkId) ?? -1]
    return entry?.kind === 'check' ? entry.check : undefined
  }

  /** The scheduled checks. */
  *checks(): Generator<ScheduledCheck> {
    for (const entry of this.#entries) if (entry?.kind === 'check') yield entry.check
  }

  /** Replaces all entries; `slotOf` returns the first slot of each check. */
  fill(
    checks: Iterable<ScheduledCheck>,
    pending: Iterable<PendingRun>,
    slotOf: (check: ScheduledCheck, timetable: Timetable) => number,
  ): void {
    this.clear()
    const dues: { entry: number; due: number }[] = []
    for (const check of checks) {
      const timetable = timetableOf(check)
      const slot = slotOf(check, timetable)
      const entry = this.#add({ kind: 'check', check, timetable, slot })
      this.#checks.set(check.checkId, entry)
      dues.push({ entry, due: dueOf(timetable, slot) })
    }
    for (const run of pending) dues.push({ entry: this.#addOneShot(run), due: run.runAt })
    this.#heap.setAll(dues)
  }

  clear(): void {
    this.#entries.length = 0
    this.#free.length = 0
    this.#checks.clear()
    this.#oneShots.clear()
    this.#heap = new DueHeap()
  }

  /** Adds a check or updates it. Slots before `now` are skipped. */
  put(check: ScheduledCheck, now: number): void {
    const entry = this.#checks.get(check.checkId) ?? this.#add(undefined)
    const before = this.#entries[entry]
    const timetable = timetableOf(check)
    const isSame = before?.kind === 'check' && sameTimetable(before.timetable, timetable)
    const slot = isSame ? before.slot : comingSlot(timetable, now)
    this.#entries[entry] = { kind: 'check', check, timetable, slot }
    this.#checks.set(check.checkId, entry)
    this.#heap.set(entry, dueOf(timetable, slot))
  }

  remove(checkId: string): void {
    const entry = this.#checks.get(checkId)
    if (entry === undefined) return
    this.#checks.delete(checkId)
    this.#remove(entry)
  }

  /** Returns false, and changes nothing, when the one-shot is planned already. */
  putOneShot(run: PendingRun): boolean {
    if (this.#oneShots.has(run.attemptId)) return false
    this.#heap.set(this.#addOneShot(run), run.runAt)
    return true
  }

  /** Takes the first entry that is due; undefined when none is. */
  takeDue(now: number): Due | undefined {
    if (this.#heap.firstDue() > now) return undefined
    const at = this.#heap.firstEntry() ?? 0
    const entry = this.#entries[at]
    if (entry?.kind === 'check') {
      const { check, timetable } = entry
      const slots = dueSlots(timetable, entry.slot, now)
      entry.slot = slots.next
      this.#heap.set(at, dueOf(timetable, slots.next))
      return { kind: 'check', check, timetable, slots }
    }
    if (entry === undefined) throw new Error('The heap names an entry that the agenda does not have.')
    this.#remove(at)
    this.#oneShots.delete(entry.run.attemptId)
    return entry
  }

  /** After a clock rewind: plans anew, because the old slots would only be due when the clock has caught up. */
  planAnew(now: number): void {
    for (const [at, entry] of this.#entries.entries()) {
      if (entry === undefined) continue
      if (entry.kind === 'check') {
        entry.slot = Math.min(entry.slot, comingSlot(entry.timetable, now))
        this.#heap.set(at, dueOf(entry.timetable, entry.slot))
      } else this.#heap.set(at, Math.min(entry.run.runAt, now + longestBackOffMs))
    }
  }

  #addOneShot(run: PendingRun): number {
    const entry = this.#add({ kind: 'one-shot', run })
    this.#oneShots.set(run.attemptId, entry)
    return entry
  }

  #add(entry: Entry | undefined): number {
    const at = this.#free.pop() ?? this.#entries.length
    this.#entries[at] = entry
    return at
  }

  #remove(at: number): void {
    this.#heap.remove(at)
    this.#entries[at] = undefined
    this.#free.push(at)
  }
}

const sameTimetable = (a: Timetable, b: Timetable): boolean => a.interval === b.interval && a.phase === b.phase
