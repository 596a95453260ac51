import type { CancelTimer, Clock, LocationId } from '@vedette/wire'
import type { PendingRun, RunRef } from '../runs.ts'
import type { RunQueue } from '../queue/run-queue.ts'
import { DueHeap } from './heap.ts'
import type { InFlight } from './in-flight.ts'
import {
  comingSlot,
  dueOf,
  dueSlots,
  latestSlot,
  oldestSlotMs,
  refsOfSlot,
  timetableOf,
  type ScheduledCheck,
  type Timetable,
} from './schedule-entry.ts'

/** Ticks started before the thread is given back to others. */
const burst = 1000
/** The timer never sleeps longer, so that a corrected clock is noticed. */
const longestSleepMs = 60_000
/** A timer as late as this was held up by more than a busy thread. */
const sleptMs = 5000
/** A clock set back by less changes nothing worth planning anew. */
const rewindMs = 1000
/** No retry waits longer. Source: bounds of the retry strategy. */
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

export interface SchedulerOptions {
  clock: Clock
  queue: RunQueue
  inFlight: InFlight
  /** False when another process took over: then nothing may start. */
  mayRun: () => boolean
  /** The timer came much too late: the host slept, or its clock leapt. */
  onSlept: () => void
  /** False when no agent serves the location: the slot is left out, and whoever answers notes it. */
  isServed: (location: LocationId, due: number) => boolean
  hasAgent: (location: LocationId) => boolean
  /** A one-shot that waited too long to say anything: it ends as missed. */
  onMissed: (run: RunRef) => void
  /** A tick was dropped because a run of its check was still in flight. */
  onOverlap: (checkId: string) => void
  /** Slots from one due time to another were not run. */
  onSkipped: (span: { from: number; to: number; reason: string }) => void
  /** The check of a one-shot does not run any more. */
  onDropped: (run: RunRef) => void
  log: { error(details: object, text: string): void }
}

/**
 * Starts every run at its time: one heap, one timer. Due times come from slot numbers alone, never from "now", so that
 * restarts, late timers and two processes agree about them.
 */
export class Scheduler {
  readonly #options: SchedulerOptions
  readonly #entries: (Entry | undefined)[] = []
  readonly #free: number[] = []
  readonly #checks = new Map<string, number>()
  readonly #oneShots = new Map<string, number>()
  #heap = new DueHeap()
  #cancel: CancelTimer | undefined
  #armedFor = Infinity
  #lastTick = -Infinity
  #running = false
  #skipped: { from: number; to: number } | undefined

  constructor(options: SchedulerOptions) {
    this.#options = options
  }

  /** Due time of the first slot or one-shot to come; Infinity when nothing is planned. */
  firstDue(): number {
    return this.#heap.firstDue()
  }

  /** Begins to run. `watermark`: all slots up to it were seen to; undefined on the first start ever. */
  start(checks: Iterable<ScheduledCheck>, pending: Iterable<PendingRun>, watermark: number | undefined): void {
    const now = this.#options.clock.now()
    const dues: { entry: number; due: number }[] = []
    for (const check of checks) {
      const timetable = timetableOf(check)
      const slot = firstSlot(check, timetable, { watermark, now })
      const entry = this.#addEntry({ kind: 'check', check, timetable, slot })
      this.#checks.set(check.checkId, entry)
      dues.push({ entry, due: dueOf(timetable, slot) })
    }
    for (const run of pending) dues.push({ entry: this.#addOneShot(run), due: run.runAt })
    this.#heap.setAll(dues)
    this.#running = true
    this.#arm()
  }

  stop(): void {
    this.#running = false
    this.#cancel?.()
    this.#armedFor = Infinity
    this.#entries.length = 0
    this.#free.length = 0
    this.#checks.clear()
    this.#oneShots.clear()
    this.#heap = new DueHeap()
    this.#skipped = undefined
  }

  get size(): number {
    return this.#heap.size
  }

  check(checkId: string): ScheduledCheck | undefined {
    const entry = this.#entries[this.#checks.get(checkId) ?? -1]
    return entry?.kind === 'check' ? entry.check : undefined
  }

  /** Adds a check, or takes over what changed about it. Slots that passed before now are not made up for. */
  put(check: ScheduledCheck): void {
    if (!this.#running) return
    const entry = this.#checks.get(check.checkId) ?? this.#addEntry(undefined)
    const before = this.#entries[entry]
    const timetable = timetableOf(check)
    const isSame = before?.kind === 'check' && sameTimetable(before.timetable, timetable)
    const slot = isSame ? before.slot : comingSlot(timetable, this.#options.clock.now())
    this.#entries[entry] = { kind: 'check', check, timetable, slot }
    this.#checks.set(check.checkId, entry)
    this.#heap.set(entry, dueOf(timetable, slot))
    this.#arm()
  }

  remove(checkId: string): void {
    const entry = this.#checks.get(checkId)
    if (entry === undefined) return
    this.#checks.delete(checkId)
    this.#removeEntry(entry)
  }

  /** Adds a one-shot; one that is here already stays as it is. */
  putOneShot(run: PendingRun): void {
    if (!this.#running || this.#oneShots.has(run.attemptId)) return
    this.#heap.set(this.#addOneShot(run), run.runAt)
    this.#arm()
  }

  /** In flight from now on, its back-off included. */
  #addOneShot(run: PendingRun): number {
    const runParallel = this.check(run.checkId)?.runParallel ?? false
    this.#options.inFlight.add(run, { runParallel, isTick: false })
    const entry = this.#addEntry({ kind: 'one-shot', run })
    this.#oneShots.set(run.attemptId, entry)
    return entry
  }

  #addEntry(entry: Entry | undefined): number {
    const at = this.#free.pop() ?? this.#entries.length
    this.#entries[at] = entry
    return at
  }

  #removeEntry(at: number): void {
    this.#heap.remove(at)
    this.#entries[at] = undefined
    this.#free.push(at)
  }

  #arm(): void {
    const due = this.#heap.firstDue()
    if (!this.#running || (this.#cancel !== undefined && due >= this.#armedFor)) return
    this.#cancel?.()
    this.#cancel = undefined
    this.#armedFor = Infinity
    if (due === Infinity) return
    const now = this.#options.clock.now()
    const delay = Math.min(Math.max(due - now, 0), longestSleepMs)
    this.#armedFor = now + delay
    this.#cancel = this.#options.clock.after(delay, () => {
      this.#cancel = undefined
      this.#tick()
    })
  }

  #tick(): void {
    if (!this.#running) return
    const { clock, mayRun, onSkipped } = this.#options
    if (!mayRun()) {
      // The process woke up after its term: whoever leads now sees to these slots.
      this.#cancel = clock.after(1000, () => {
        this.#cancel = undefined
        this.#tick()
      })
      return
    }
    const now = clock.now()
    if (now - this.#armedFor > sleptMs) this.#options.onSlept()
    if (now < this.#lastTick - rewindMs) this.#planAnew(now)
    this.#lastTick = now
    const refs: RunRef[] = []
    for (let n = 0; n < burst && this.#heap.firstDue() <= now; n++) this.#fire(this.#heap.firstEntry() ?? 0, now, refs)
    if (refs.length > 0) this.#enqueue(refs)
    if (this.#skipped !== undefined && this.#heap.firstDue() > now) {
      onSkipped({ ...this.#skipped, reason: 'The scheduler was not running.' })
      this.#skipped = undefined
    }
    this.#arm()
  }

  /** The clock was set back: what was planned by the wrong one would leave checks alone until it is reached again. */
  #planAnew(now: number): void {
    for (const [at, entry] of this.#entries.entries()) {
      if (entry === undefined) continue
      if (entry.kind === 'check') {
        entry.slot = Math.min(entry.slot, comingSlot(entry.timetable, now))
        this.#heap.set(at, dueOf(entry.timetable, entry.slot))
      } else this.#heap.set(at, Math.min(entry.run.runAt, now + longestBackOffMs))
    }
  }

  #fire(at: number, now: number, refs: RunRef[]): void {
    const entry = this.#entries[at]
    if (entry?.kind === 'one-shot') {
      this.#removeEntry(at)
      this.#oneShots.delete(entry.run.attemptId)
      this.#fireOneShot(entry.run, now, refs)
    } else if (entry?.kind === 'check') this.#fireCheck(entry, at, { now, refs })
    else this.#heap.remove(at)
  }

  #fireCheck(entry: CheckEntry, at: number, { now, refs }: { now: number; refs: RunRef[] }): void {
    const { check, timetable } = entry
    const { slot, skipped, next } = dueSlots(timetable, entry.slot, now)
    entry.slot = next
    this.#heap.set(at, dueOf(timetable, next))
    if (skipped !== undefined) this.#skip(skipped)
    if (slot === undefined) return
    for (const ref of refsOfSlot(check, slot, dueOf(timetable, slot)))
      if (this.#options.isServed(ref.location, ref.dueAt) && this.#mayStart(check, ref)) refs.push(ref)
  }

  #mayStart(check: ScheduledCheck, ref: RunRef): boolean {
    const { inFlight, onOverlap, queue } = this.#options
    const running = inFlight.overlapped(check.checkId, ref.location, check.runParallel)
    if (running === undefined) return inFlight.add(ref, { runParallel: check.runParallel, isTick: true })
    if (!running.has(ref.attemptId)) {
      onOverlap(check.checkId)
      this.#attempt(() => queue.supersede([...running]))
    }
    return false
  }

  #fireOneShot(run: PendingRun, now: number, refs: RunRef[]): void {
    const { inFlight, onMissed, onDropped } = this.#options
    if (inFlight.hasEnded(run.attemptId)) return
    const check = this.check(run.checkId)
    if (check === undefined) return onDropped(run)
    const { runAt, ...ref } = run
    if (now - runAt >= oldestSlotMs) onMissed(ref)
    else refs.push({ ...ref, location: this.#reachable(check, ref.location) })
  }

  /** A retry must not wait for an agent that has been away for long: with one location at a time, the next one will do. */
  #reachable({ locations, runParallel }: ScheduledCheck, wanted: LocationId): LocationId {
    const { hasAgent } = this.#options
    if (runParallel || hasAgent(wanted)) return wanted
    const at = locations.indexOf(wanted) + 1
    return [...locations.slice(at), ...locations.slice(0, at)].find(hasAgent) ?? wanted
  }

  #skip({ from, to }: { from: number; to: number }): void {
    const known = this.#skipped
    this.#skipped =
      known === undefined ? { from, to } : { from: Math.min(known.from, from), to: Math.max(known.to, to) }
  }

  #enqueue(refs: RunRef[]): void {
    const { queue, inFlight, clock, onSkipped } = this.#options
    this.#attempt(async () => {
      try {
        await queue.enqueue(refs)
      } catch (error) {
        // One-shots stay in their table and come back with the next start.
        const ticks = refs.filter((ref) => ref.attempt === 0).map((ref) => ref.dueAt)
        for (const ref of refs) inFlight.ended(ref.attemptId, clock.now())
        if (ticks.length > 0)
          onSkipped({ from: Math.min(...ticks), to: Math.max(...ticks), reason: 'The queue took no runs.' })
        throw error
      }
    })
  }

  #attempt(work: () => Promise<void>): void {
    work().catch((error: unknown) => this.#options.log.error({ err: error }, 'The queue refused work.'))
  }
}

const sameTimetable = (a: Timetable, b: Timetable): boolean => a.interval === b.interval && a.phase === b.phase

/** After a pause each check gets its latest slot, if it owes it and it is young enough; else it waits for the next. */
function firstSlot(
  check: ScheduledCheck,
  timetable: Timetable,
  { watermark, now }: { watermark: number | undefined; now: number },
): number {
  const latest = latestSlot(timetable, now)
  const due = dueOf(timetable, latest)
  const seenTo = Math.max(watermark ?? now, check.scheduledFrom, check.lastDueAt ?? -Infinity)
  return due > seenTo && now - due < oldestSlotMs ? latest : latest + 1
}
