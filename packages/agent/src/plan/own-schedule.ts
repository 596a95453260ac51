import type { CancelTimer, Clock, PlannedCheck } from '@vedette/wire'
import type { Log } from '../log.ts'
import type { Connection } from '../protocol/connection.ts'
import { nextSlot, type Plan, type PlannedSlot } from './plan.ts'

/**
 * A server that answers again within this time has handed out what was due, or will: a restart, or another server that
 * takes over.
 */
const patienceMs = 5000
/** How often slots are looked for, and how far ahead they go to the probe threads, which start each at its time. */
const lookEveryMs = 500
const aheadMs = 1000
/** A server that died had handed out what was due within this time. */
const handedOutMs = 500

export interface OwnScheduleOptions {
  connection: Pick<Connection, 'session' | 'answeredAt' | 'isDenied' | 'onReady'>
  clock: Clock
  /** Milliseconds to add to this machine's clock to get server time. */
  clockOffset: () => number
  /** The checks of which a run is under way, or waits for its next attempt. */
  running: () => ReadonlySet<string>
  hasRoom: (check: PlannedCheck) => boolean
  /** Begins the run of a slot. Throws when its content cannot be opened. */
  begin: (slot: PlannedSlot) => void
  log: Log
}

/**
 * Runs the plan of the location while no server answers. Results have the ids that they would have had: what the server
 * handed out as well, or another agent ran, is stored once.
 */
export class OwnSchedule {
  readonly #options: OwnScheduleOptions
  /** By check: slots up to here are begun or left out, in server time. */
  readonly #handledTo = new Map<string, number>()
  #plan: Plan | undefined
  /** Server time from which on slots are this agent's; undefined while a server answers. */
  #since: number | undefined
  #cancel: CancelTimer | undefined
  #running = false

  constructor(options: OwnScheduleOptions) {
    this.#options = options
    options.connection.onReady(() => this.#end())
  }

  get plan(): Plan | undefined {
    return this.#plan
  }

  /** Whether the agent runs its plan now. */
  get isActive(): boolean {
    return this.#since !== undefined
  }

  replace(plan: Plan | undefined): void {
    this.#plan = plan
  }

  start(): void {
    this.#running = true
    this.#look()
  }

  stop(): void {
    this.#running = false
    this.#cancel?.()
    this.#end()
  }

  #look(): void {
    const { clock, connection } = this.#options
    if (connection.isDenied) this.#plan = undefined
    const silentMs = clock.monotonic() - (connection.answeredAt ?? Infinity)
    if (this.#plan === undefined || this.#plan.checks.length === 0) this.#end()
    else if (connection.session === undefined && silentMs >= patienceMs) this.#run(this.#plan, silentMs)
    this.#cancel = clock.after(lookEveryMs, () => {
      if (this.#running) this.#look()
    })
  }

  #end(): void {
    if (this.#since !== undefined) this.#options.log.info('a server answers again: it has the schedule')
    this.#since = undefined
    this.#handledTo.clear()
  }

  #run(plan: Plan, silentMs: number): void {
    const { clock, clockOffset, log } = this.#options
    const now = clock.now() + clockOffset()
    if (this.#since === undefined) {
      this.#since = now - silentMs + handedOutMs
      log.warn({ checks: plan.checks.length }, 'no server answers: the checks of this location go on by the plan')
    }
    const running = this.#options.running()
    for (const slot of this.#slotsTo(plan, now + aheadMs))
      this.#runSlot(slot, { now, isRunning: running.has(slot.check.checkId) })
  }

  /** The next slot of each check, first those of the checks whose turn is longest ago: there may be room for a few only. */
  #slotsTo(plan: Plan, toMs: number): PlannedSlot[] {
    const handledTo = ({ checkId }: PlannedCheck) => this.#handledTo.get(checkId) ?? this.#since ?? toMs
    const slots = plan.checks.flatMap((check) => nextSlot(plan, check, { afterMs: handledTo(check), toMs }) ?? [])
    return slots.sort((one, other) => handledTo(one.check) - handledTo(other.check))
  }

  #runSlot(slot: PlannedSlot, { now, isRunning }: { now: number; isRunning: boolean }): void {
    const { hasRoom, begin, log } = this.#options
    const { check, dueAt } = slot
    // A tick is dropped while the run before it is under way, as the server drops it: that is judged when it is due.
    if ((isRunning && dueAt > now) || !hasRoom(check)) return
    this.#handledTo.set(check.checkId, dueAt)
    if (isRunning) return
    try {
      begin(slot)
    } catch (error) {
      log.error({ error, checkId: check.checkId }, 'a planned check cannot be run')
    }
  }
}
