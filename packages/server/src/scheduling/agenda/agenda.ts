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

interface CheckEntry {
  kind: 'check'
  check: ScheduledCheck
  timetable: Timetable
  /** The next slot to run. */
  slot: number
  /** Due time of the newest run. After a clock rewind slots come that have had a run already. */
  usedTo: number
}
interface OneShotEntry {
  kind: 'one-shot'
  run: PendingRun
}
type Entry = CheckEntry | OneShotEntry

/** One moment by both clocks. */
export interface Moment {
  now: number
  monotonic: number
}

/** Entries due by `now` are taken, and slots due by `horizon` whose check may run them ahead. */
export interface Reach {
  now: number
  horizon: number
  mayGoAhead: (check: ScheduledCheck, slot: number) => boolean
}

/** Slots are taken this long before they are due, so that they are with an agent when they are. */
const leadMs = 50
/** A slot that could not be taken ahead is looked at again after this time. */
const lookAgainMs = 5

/** An entry that is due, or a slot taken ahead: slots of a check, or a one-shot. */
export type Due =
  | { kind: 'check'; check: ScheduledCheck; slots: DueSlots; due: number | undefined }
  | { kind: 'one-shot'; run: PendingRun }

/** What runs next: checks by their slots and one-shots by their time. It has no clock and starts nothing. */
export class Agenda {
  readonly #entries: (Entry | undefined)[] = []
  readonly #free: number[] = []
  readonly #checks = new Map<string, number>()
  readonly #oneShots = new Map<string, number>()
  /** Slots that may be taken before they are due. */
  #ahead = new DueHeap()
  /** What is taken when it is due: one-shots, and slots whose check could not run them ahead. */
  #exact = new DueHeap()
  /** Milliseconds by which the second run of a slot is due later than the slot, so that it has an id of its own. */
  #shiftMs = 1

  get size(): number {
    return this.#ahead.size + this.#exact.size
  }

  /** Due time of the first slot or one-shot to come; Infinity when nothing is planned. */
  firstDue(): number {
    return Math.min(this.#ahead.firstDue(), this.#exact.firstDue())
  }

  /** When to take something, after all that could be taken at `now` was; Infinity when nothing is planned. */
  wakeAt(now: number): number {
    const first = this.#ahead.firstDue()
    return Math.min(this.#exact.firstDue(), Math.max(first - leadMs, Math.min(first, now + lookAgainMs)))
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
    pending: readonly PendingRun[],
    { at, slotOf }: { at: Moment; slotOf: (check: ScheduledCheck, timetable: Timetable) => number },
  ): void {
    this.clear()
    this.#shiftMs = shiftAt(at)
    const inFlightTo = new Map<string, number>()
    for (const { checkId, dueAt } of pending)
      inFlightTo.set(checkId, Math.max(inFlightTo.get(checkId) ?? -Infinity, dueAt))
    const dues: { entry: number; due: number }[] = []
    for (const check of checks) {
      const timetable = timetableOf(check)
      const slot = slotOf(check, timetable)
      const usedTo = Math.max(check.usedTo, inFlightTo.get(check.checkId) ?? -Infinity)
      const entry = this.#add({ kind: 'check', check, timetable, slot, usedTo })
      this.#checks.set(check.checkId, entry)
      dues.push({ entry, due: dueOf(timetable, slot) })
    }
    this.#ahead.setAll(dues)
    for (const run of pending) this.#exact.set(this.#addOneShot(run), run.runAt)
  }

  clear(): void {
    this.#entries.length = 0
    this.#free.length = 0
    this.#checks.clear()
    this.#oneShots.clear()
    this.#ahead = new DueHeap()
    this.#exact = new DueHeap()
  }

  /** Adds a check or updates it. Slots before `now` are skipped. */
  put(check: ScheduledCheck, now: number): void {
    const entry = this.#checks.get(check.checkId) ?? this.#add(undefined)
    const before = this.#entries[entry]
    const timetable = timetableOf(check)
    const isSame = before?.kind === 'check' && sameTimetable(before.timetable, timetable)
    const slot = isSame ? before.slot : comingSlot(timetable, now)
    const usedTo = Math.max(check.usedTo, before?.kind === 'check' ? before.usedTo : -Infinity)
    this.#entries[entry] = { kind: 'check', check, timetable, slot, usedTo }
    this.#checks.set(check.checkId, entry)
    this.#planAhead(entry, dueOf(timetable, slot))
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
    this.#exact.set(this.#addOneShot(run), run.runAt)
    return true
  }

  removeOneShot(attemptId: string): void {
    const at = this.#oneShots.get(attemptId)
    if (at === undefined) return
    this.#oneShots.delete(attemptId)
    this.#remove(at)
  }

  /** Takes the first entry that may be taken; undefined when none may. */
  take(reach: Reach): Due | undefined {
    for (;;) {
      const at = this.#firstWithin(reach)
      if (at === undefined) return undefined
      const entry = this.#entries[at]
      if (entry === undefined) throw new Error('A heap names an entry that the agenda does not have.')
      if (entry.kind === 'one-shot') {
        this.#remove(at)
        this.#oneShots.delete(entry.run.attemptId)
        return entry
      }
      const due = dueOf(entry.timetable, entry.slot)
      if (due <= reach.now || reach.mayGoAhead(entry.check, entry.slot)) return this.#takeSlots(at, entry, reach.now)
      this.#ahead.remove(at)
      this.#exact.set(at, due)
    }
  }

  #firstWithin({ now, horizon }: Reach): number | undefined {
    const [ahead, exact] = [this.#ahead.firstDue(), this.#exact.firstDue()]
    if (exact <= now && exact <= ahead) return this.#exact.firstEntry()
    return ahead <= horizon ? this.#ahead.firstEntry() : undefined
  }

  #takeSlots(at: number, entry: CheckEntry, now: number): Due {
    const slots = dueSlots(entry.timetable, entry.slot, now)
    entry.slot = slots.next
    this.#planAhead(at, dueOf(entry.timetable, slots.next))
    return { kind: 'check', check: entry.check, slots, due: this.#useSlot(entry, slots.slot) }
  }

  #planAhead(at: number, due: number): void {
    this.#exact.remove(at)
    this.#ahead.set(at, due)
  }

  /**
   * After the clock was set, by `leapMs`: one-shots keep the time they have to wait, and no check waits for its old slot
   * until a clock that was set back has caught up.
   */
  clockLeapt(leapMs: number, at: Moment): void {
    const { now } = at
    this.#shiftMs = shiftAt(at)
    for (const [number, entry] of this.#entries.entries()) {
      if (entry?.kind === 'one-shot') {
        entry.run = { ...entry.run, runAt: entry.run.runAt + leapMs }
        this.#exact.set(number, entry.run.runAt)
      } else if (entry !== undefined && dueOf(entry.timetable, entry.slot) - now > 2 * entry.timetable.interval) {
        entry.slot = comingSlot(entry.timetable, now)
        this.#planAhead(number, dueOf(entry.timetable, entry.slot))
      }
    }
  }

  /** When a slot counts as due: results of the same check and due time would be one result. */
  #useSlot(entry: CheckEntry, slot: number | undefined): number | undefined {
    if (slot === undefined) return undefined
    const due = dueOf(entry.timetable, slot)
    if (due <= entry.usedTo) return due + this.#shiftMs
    entry.usedTo = due
    return due
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
    this.#ahead.remove(at)
    this.#exact.remove(at)
    this.#entries[at] = undefined
    this.#free.push(at)
  }
}

/**
 * Another one after each leap and start, or the third run of a slot would have the id of the second. A clock that is set
 * back twice may show the same time twice.
 */
const shiftAt = ({ now, monotonic }: Moment): number => 1 + (Math.floor(now + monotonic) % 997)

const sameTimetable = (a: Timetable, b: Timetable): boolean => a.interval === b.interval && a.phase === b.phase
