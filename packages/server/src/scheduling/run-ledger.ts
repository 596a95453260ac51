import type { Clock, LocationId } from '@vedette/wire'
import type { RunMemory } from '../queue/run-queue.ts'
import type { Destination, Reply, RunRef } from '../runs.ts'

/** Attempts that are over are remembered for this long, so that a redelivery does not start them again. */
const rememberMs = 2 * 60_000

interface Attempt {
  ref: RunRef
  /** Key under which it overlaps with the next tick of its check. */
  key: string
  /** The run of a tick: it is in no table until its first result is. */
  isTick: boolean
  destination: Destination
}

/** What the scheduler states of a run when it begins. */
export interface Beginning {
  runParallel: boolean
  isTick: boolean
  destination?: Destination
}

/**
 * The attempts of this process, shared by scheduler and queue. An attempt is in flight from its planning to its result,
 * back-offs included. It is over when it must not be handed out any more: it ended, or it was given up and its loss is
 * still to be recorded.
 */
export class RunLedger implements RunMemory {
  readonly #clock: Clock
  readonly #inFlight = new Map<string, Attempt>()
  readonly #byKey = new Map<string, Set<string>>()
  /** When an attempt was over (monotonic), and the destination of a result that may still arrive. */
  readonly #over = new Map<string, { at: number; destination: Destination }>()
  readonly #listeners = new Set<(attemptId: string) => void>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Attempts in flight. */
  get size(): number {
    return this.#inFlight.size
  }

  /**
   * Attempts in flight that a tick of this check and location would overlap: all of the check with one location at a
   * time, those of the location when it runs in parallel.
   */
  overlapped(checkId: string, location: LocationId, runParallel: boolean): ReadonlySet<string> | undefined {
    return this.#byKey.get(keyOf(checkId, location, runParallel))
  }

  /** Returns false when this attempt is in flight or over: then it must not be enqueued. */
  begin(ref: RunRef, { runParallel, isTick, destination = 'stored' }: Beginning): boolean {
    if (this.#inFlight.has(ref.attemptId) || this.#over.has(ref.attemptId)) return false
    const key = keyOf(ref.checkId, ref.location, runParallel)
    this.#put(ref.attemptId, { ref, key, isTick, destination })
    return true
  }

  /** Replaces the attempt by its retry, which keeps the run in flight and has a row in a table. */
  handOver(attemptId: string, retry: RunRef, runParallel: boolean): void {
    const key = this.#inFlight.get(attemptId)?.key ?? keyOf(retry.checkId, retry.location, runParallel)
    this.end([attemptId])
    if (this.isOver(retry.attemptId) || this.#inFlight.has(retry.attemptId)) return
    this.#put(retry.attemptId, { ref: retry, key, isTick: false, destination: 'stored' })
  }

  isOver(attemptId: string): boolean {
    return this.#over.has(attemptId)
  }

  /** Destination of the attempt's result. After a restart every run counts as one of the schedule. */
  destinationOf(attemptId: string): Destination {
    return (this.#inFlight.get(attemptId) ?? this.#over.get(attemptId))?.destination ?? 'stored'
  }

  giveUp(attemptId: string): void {
    const destination = this.destinationOf(attemptId) === 'stored' ? 'stored' : nowhere
    this.#over.set(attemptId, { at: this.#clock.monotonic(), destination })
    for (const listener of this.#listeners) listener(attemptId)
  }

  /** The results of these attempts were delivered, or can never be. */
  end(attemptIds: readonly string[]): void {
    for (const attemptId of attemptIds) {
      this.giveUp(attemptId)
      this.#drop(attemptId)
    }
    this.#purge()
  }

  onOver(listener: (attemptId: string) => void): void {
    this.#listeners.add(listener)
  }

  /** The check was deleted or deactivated: its runs cause no overlap any more. */
  forgetCheck(checkId: string): void {
    for (const [attemptId, attempt] of this.#inFlight) if (attempt.ref.checkId === checkId) this.#drop(attemptId)
  }

  /** Attempts in flight of one run at one location. */
  attemptsOf(sequenceId: string): string[] {
    return [...this.#inFlight.values()].flatMap(({ ref }) => (ref.sequenceId === sequenceId ? ref.attemptId : []))
  }

  /** Due time of the oldest tick without a result; Infinity when there is none. */
  oldestTick(): number {
    let oldest = Infinity
    for (const { isTick, ref } of this.#inFlight.values()) if (isTick && ref.dueAt < oldest) oldest = ref.dueAt
    return oldest
  }

  /** The ticks without a result that were due by then. */
  ticksDueBy(atMs: number): RunRef[] {
    const ticks: RunRef[] = []
    for (const { isTick, ref } of this.#inFlight.values()) if (isTick && ref.dueAt <= atMs) ticks.push(ref)
    return ticks
  }

  isInFlight(attemptId: string): boolean {
    return this.#inFlight.has(attemptId)
  }

  /** The term ended. A caller that waits for a result still gets it if it arrives. */
  clear(): void {
    for (const [attemptId, { destination }] of this.#inFlight) if (destination === 'stored') this.#drop(attemptId)
    this.#over.clear()
  }

  #put(attemptId: string, attempt: Attempt): void {
    this.#inFlight.set(attemptId, attempt)
    const others = this.#byKey.get(attempt.key)
    if (others === undefined) this.#byKey.set(attempt.key, new Set([attemptId]))
    else others.add(attemptId)
  }

  #drop(attemptId: string): void {
    const attempt = this.#inFlight.get(attemptId)
    if (attempt === undefined) return
    this.#inFlight.delete(attemptId)
    const others = this.#byKey.get(attempt.key)
    others?.delete(attemptId)
    if (others?.size === 0) this.#byKey.delete(attempt.key)
  }

  #purge(): void {
    const now = this.#clock.monotonic()
    for (const [attemptId, { at }] of this.#over) {
      if (now - at < rememberMs) return
      this.#over.delete(attemptId)
    }
  }
}

/** Destination of results when the caller that waited is gone. */
const nowhere: Reply = { draft: { name: '', definition: {} }, send: () => undefined }

const keyOf = (checkId: string, location: string, runParallel: boolean): string =>
  runParallel ? `${checkId} ${location}` : checkId
