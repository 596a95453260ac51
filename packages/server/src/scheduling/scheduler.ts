import {
  handedOutAheadMs,
  locationsOfSlot,
  staleAfterMs,
  type CancelTimer,
  type Clock,
  type LocationId,
} from '@vedette/wire'
import type { PendingRun, RunRef } from '../runs.ts'
import type { RunQueue, Urgency } from '../queue/run-queue.ts'
import { Agenda, type Due, type Moment } from './agenda/agenda.ts'
import type { Availability } from './availability.ts'
import { leapMs, longestSleepMs, sleptMs, wallOffset } from './clock-leap.ts'
import type { Outlook } from './outlook.ts'
import type { RunLedger } from './run-ledger.ts'
import { firstSlot, refsOfSlot, type ScheduledCheck } from './schedule-entry.ts'

/** Ticks handed out before other work of the thread gets its turn. */
const burst = 1000

const notRunning = 'The scheduler was not running.'

const momentOf = (clock: Clock): Moment => ({ now: clock.now(), monotonic: clock.monotonic() })

export interface SchedulerOptions {
  clock: Clock
  queue: Pick<RunQueue, 'enqueue' | 'supersede' | 'giveUpAt'>
  ledger: RunLedger
  outlook: Pick<Outlook, 'urgencyOf'>
  availability: Pick<Availability, 'slept' | 'hasAgent' | 'isAwaited' | 'isFirstRefusal' | 'leaveOut'>
  /** How long nobody else can lead; 0 when another process may have taken over: then nothing is handed out. */
  leadsForMs: () => number
  /** A run ends as *not known* without being queued: it waited too long to be of use, or its location has no agent. */
  onLost: (run: RunRef, because: 'missed' | 'no-agent' | 'no-agent-yet') => void
  /** A tick was dropped because a run of its check was still in flight. */
  onOverlap: (checkId: string) => void
  /** Slots from one due time to another were not run. */
  onSkipped: (span: { from: number; to: number; reason: string }) => void
  /** The check of a one-shot does not run any more. */
  onDropped: (run: RunRef) => void
  log: { error(details: object, text: string): void }
}

/** What a scheduler does at this moment. */
export interface Plan {
  /** Monotonic time of the last tick; undefined before the first. */
  tickedAt: number | undefined
  /** Due time of the first run to come, epoch milliseconds; Infinity when none is planned. */
  firstDue: number
  checks: readonly ScheduledCheck[]
}

/**
 * Hands every run out for its time, with one agenda and one timer: one-shots at their time, ticks up to half a second
 * before it, so that one timer serves many. Due times follow from slot numbers alone, never from the current time, so that
 * restarts, late timers and two processes compute the same ones.
 */
export class Scheduler {
  readonly #options: SchedulerOptions
  readonly #agenda = new Agenda()
  #cancel: CancelTimer | undefined
  #armedFor = Infinity
  /** When it last looked, monotonic. */
  #tickedAt: number | undefined
  /** When the timer is to fire, monotonic. */
  #wakeAt = Infinity
  /** As of the last tick. */
  #offset: number
  /** Every slot due before this was handed out or left out when it last looked. */
  #handledTo = -Infinity
  #skipReason = notRunning
  #running = false
  #skipped: { from: number; to: number } | undefined

  constructor(options: SchedulerOptions) {
    this.#options = options
    this.#offset = wallOffset(options.clock)
  }

  /** Due time of the first slot or one-shot to come; Infinity when nothing is planned. */
  firstDue(): number {
    return this.#agenda.firstDue()
  }

  /** All slots due before this were handed out or left out; with slots handed out ahead it may lie after now. */
  handledTo(): number {
    return Math.min(this.#agenda.firstDue(), Math.max(this.#options.clock.now(), this.#handledTo))
  }

  get size(): number {
    return this.#agenda.size
  }

  get isRunning(): boolean {
    return this.#running
  }

  condition(): Plan {
    return { tickedAt: this.#tickedAt, firstDue: this.#agenda.firstDue(), checks: [...this.#agenda.checks()] }
  }

  check(checkId: string): ScheduledCheck | undefined {
    return this.#agenda.check(checkId)
  }

  /** Starts. `watermark`: all slots up to it were handled; undefined on the very first start. */
  start(checks: Iterable<ScheduledCheck>, pending: readonly PendingRun[], watermark: number | undefined): void {
    const at = momentOf(this.#options.clock)
    const { now } = at
    this.#agenda.fill(checks, pending, {
      at,
      slotOf: (check, timetable) => firstSlot(check, timetable, { watermark, now }),
    })
    for (const run of pending) this.#beginOneShot(run)
    // A term that ends before it hands anything out must not write down less than the one before it handed out.
    if (watermark !== undefined && watermark <= now + handedOutAheadMs) this.#handledTo = watermark + 1
    this.#running = true
    this.#offset = wallOffset(this.#options.clock)
    this.#arm()
  }

  stop(): void {
    this.#running = false
    this.#cancel?.()
    this.#cancel = undefined
    this.#armedFor = Infinity
    this.#handledTo = -Infinity
    this.#agenda.clear()
    this.#skipped = undefined
  }

  /** Hands out nothing more, so that what was handed out can be written down for the next term. */
  halt(): void {
    this.#running = false
    this.#cancel?.()
    this.#cancel = undefined
  }

  /** Adds a check or updates it. Slots before now are skipped. */
  put(check: ScheduledCheck): void {
    if (!this.#running) return
    this.#noteLeap()
    this.#agenda.put(check, this.#options.clock.now())
    this.#arm()
  }

  remove(checkId: string): void {
    this.#agenda.remove(checkId)
  }

  /** Adds a one-shot; one that is planned already stays as it is. */
  putOneShot(run: PendingRun): void {
    if (!this.#running) return
    // Its time is of the clock of now: a leap that is noticed later would move it as well.
    this.#noteLeap()
    if (!this.#agenda.putOneShot(run)) return
    this.#beginOneShot(run)
    this.#arm()
  }

  /** A run that was cancelled while it waited for its time. */
  removeOneShot(attemptId: string): void {
    this.#agenda.removeOneShot(attemptId)
  }

  /** In flight from now on, its back-off included. */
  #beginOneShot(run: PendingRun): void {
    const runParallel = this.check(run.checkId)?.runParallel ?? false
    this.#options.ledger.begin(run, { runParallel, isTick: false })
  }

  #arm(): void {
    const now = this.#options.clock.now()
    const wakeAt = this.#agenda.wakeAt(now)
    if (!this.#running || (this.#cancel !== undefined && wakeAt >= this.#armedFor)) return
    this.#cancel?.()
    this.#cancel = undefined
    this.#armedFor = Infinity
    if (wakeAt === Infinity) return
    const delay = Math.min(Math.max(wakeAt - now, 0), longestSleepMs)
    this.#armedFor = now + delay
    this.#wakeAt = this.#options.clock.monotonic() + delay
    this.#cancel = this.#options.clock.after(delay, () => {
      this.#cancel = undefined
      this.#tick()
    })
  }

  #tick(): void {
    if (!this.#running) return
    const { clock, leadsForMs, availability } = this.#options
    const forMs = leadsForMs()
    if (forMs <= 0) {
      // The process woke up after its term: the new leader handles these slots.
      this.#cancel = clock.after(1000, () => {
        this.#cancel = undefined
        this.#tick()
      })
      return
    }
    const now = clock.now()
    if (clock.monotonic() - this.#wakeAt > sleptMs) availability.slept()
    this.#noteLeap()
    this.#tickedAt = clock.monotonic()
    this.#handOut({ now, horizon: now + Math.min(handedOutAheadMs, forMs) })
    this.#noteSkipped(now)
    this.#arm()
  }

  /** The wall clock was set, or the host slept without its monotonic clock: durations go on as if nothing was. */
  #noteLeap(): void {
    const offset = wallOffset(this.#options.clock)
    const byMs = offset - this.#offset
    if (Math.abs(byMs) < leapMs) return
    this.#offset = offset
    this.#handledTo = -Infinity
    if (byMs > 0) this.#skipReason = 'The clock of the server leapt forward, or its host slept.'
    this.#agenda.clockLeapt(byMs, momentOf(this.#options.clock))
  }

  #handOut({ now, horizon }: { now: number; horizon: number }): void {
    const refs: RunRef[] = []
    const mayGoAhead = (check: ScheduledCheck, slot: number) => this.#mayGoAhead(check, slot)
    for (let n = 0; n < burst; n++) {
      const due = this.#agenda.take({ now, horizon, mayGoAhead })
      if (due === undefined) {
        this.#handledTo = horizon
        break
      }
      refs.push(...(due.kind === 'check' ? this.#ticksOf(due) : this.#oneShot(due.run, now)))
    }
    const byUrgency = new Map<Urgency, RunRef[]>()
    for (const ref of refs) {
      const urgency = this.#urgencyOf(ref)
      const same = byUrgency.get(urgency)
      if (same === undefined) byUrgency.set(urgency, [ref])
      else same.push(ref)
    }
    for (const [urgency, same] of byUrgency) this.#enqueue(same, urgency)
  }

  /**
   * Whether the slot overlaps a run, and whether its locations have agents, is decided when it is due. Agents run few of
   * the other worker classes at once: no run may hold such a place before its time.
   */
  #mayGoAhead(check: ScheduledCheck, slot: number): boolean {
    if (check.workerClass !== 'network') return false
    const { ledger, availability } = this.#options
    return locationsOfSlot(check, slot).every(
      (location) => availability.hasAgent(location) && !ledger.overlapped(check.checkId, location, check.runParallel),
    )
  }

  #ticksOf({ check, due, slots: { slot, skipped } }: Extract<Due, { kind: 'check' }>): RunRef[] {
    if (skipped !== undefined) this.#skip(skipped)
    if (slot === undefined || due === undefined) return []
    const { availability } = this.#options
    return refsOfSlot(check, slot, due).filter((ref) => {
      if (availability.hasAgent(ref.location)) return this.#mayStart(check, ref)
      this.#refuse(check, ref)
      return false
    })
  }

  /** A slot of a location without agents: the first one of the check ends as *not known*, the others are a gap. */
  #refuse({ checkId, runParallel }: ScheduledCheck, ref: RunRef): void {
    const { availability, ledger, onLost, queue } = this.#options
    const isRunning = ledger.overlapped(checkId, ref.location, runParallel) !== undefined
    if (isRunning && availability.isAwaited(ref.location)) this.#attempt(() => queue.giveUpAt(ref.location, checkId))
    if (isRunning || !availability.isFirstRefusal(ref.location, checkId)) availability.leaveOut(ref.location, ref.dueAt)
    else if (ledger.begin(ref, { runParallel, isTick: true })) onLost(ref, this.#whyNoAgent(ref))
  }

  #whyNoAgent({ location }: RunRef): 'no-agent' | 'no-agent-yet' {
    return this.#options.availability.isAwaited(location) ? 'no-agent-yet' : 'no-agent'
  }

  #mayStart(check: ScheduledCheck, ref: RunRef): boolean {
    const { ledger, onOverlap, queue } = this.#options
    const running = ledger.overlapped(check.checkId, ref.location, check.runParallel)
    if (running === undefined) return ledger.begin(ref, { runParallel: check.runParallel, isTick: true })
    if (!running.has(ref.attemptId)) {
      onOverlap(check.checkId)
      this.#attempt(() => queue.supersede([...running]))
    }
    return false
  }

  #oneShot(run: PendingRun, now: number): RunRef[] {
    const { ledger, onLost, onDropped } = this.#options
    if (ledger.isOver(run.attemptId)) return []
    const check = this.check(run.checkId)
    const { runAt, ...ref } = run
    const location = check && this.#reachable(check, ref.location)
    if (check === undefined) onDropped(ref)
    else if (now - runAt >= staleAfterMs) onLost(ref, 'missed')
    else if (location === undefined) onLost(ref, this.#whyNoAgent(ref))
    else return [{ ...ref, location }]
    return []
  }

  /**
   * A one-shot must not wait for a location without agents: with one location at a time, the next one is used. Undefined
   * when there is none that can run it.
   */
  #reachable({ locations, runParallel }: ScheduledCheck, wanted: LocationId): LocationId | undefined {
    const { availability } = this.#options
    if (availability.hasAgent(wanted)) return wanted
    if (runParallel) return undefined
    const at = locations.indexOf(wanted) + 1
    return [...locations.slice(at), ...locations.slice(0, at)].find((one) => availability.hasAgent(one))
  }

  #skip({ from, to }: { from: number; to: number }): void {
    const known = this.#skipped
    this.#skipped =
      known === undefined ? { from, to } : { from: Math.min(known.from, from), to: Math.max(known.to, to) }
  }

  #noteSkipped(now: number): void {
    if (this.#skipped === undefined || this.#agenda.firstDue() <= now) return
    this.#options.onSkipped({ ...this.#skipped, reason: this.#skipReason })
    this.#skipped = undefined
    this.#skipReason = notRunning
  }

  #urgencyOf(ref: RunRef): Urgency {
    return this.#options.outlook.urgencyOf(ref, this.check(ref.checkId)?.runParallel ?? false)
  }

  #enqueue(refs: RunRef[], urgency: Urgency): void {
    if (refs.length === 0) return
    const { queue, ledger, onSkipped } = this.#options
    this.#attempt(async () => {
      try {
        await queue.enqueue(refs, urgency)
      } catch (error) {
        // One-shots stay in their table and are read at the next start.
        const ticks = refs.filter((ref) => ref.attempt === 0).map((ref) => ref.dueAt)
        ledger.end(refs.map((ref) => ref.attemptId))
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
