import type { Clock, LocationId } from '@vedette/wire'

/** A location has no agent when none asked for work for this long: nothing is scheduled there until one asks. */
export const unavailableAfterMs = 10 * 60_000

/** An outage of a location: first and last due time of the slots that were not run for it. */
export interface Outage {
  location: LocationId
  from: number
  to: number
}

/**
 * Which locations have agents. The slots that a location without agents costs are recorded as one gap, not as lost runs;
 * only the first one of each check ends as *not known*, so that the check hears of the outage.
 */
export class Availability {
  readonly #clock: Clock
  readonly #awaited: () => ReadonlySet<LocationId>
  /** Monotonic times. */
  readonly #seen = new Map<LocationId, number>()
  readonly #outages = new Map<LocationId, Outage>()
  /** Checks that had a result of the current outage of a location. */
  readonly #known = new Map<LocationId, Set<string>>()
  /** Outages that ended and are not yet stored. */
  #ended: Outage[] = []
  #since: number

  /** `awaited`: locations with a key that no agent has ever called with. */
  constructor(clock: Clock, awaited: () => ReadonlySet<LocationId>) {
    this.#clock = clock
    this.#awaited = awaited
    this.#since = clock.monotonic()
  }

  /** Starts a new term. What the last term did not store is part of the gap between them. */
  begin(): void {
    this.slept()
    this.#ended = []
  }

  /** The process slept and got no calls: every location counts as served for `unavailableAfterMs` again. */
  slept(): void {
    this.#since = this.#clock.monotonic()
    this.#seen.clear()
    this.#known.clear()
    this.#ended.push(...this.#outages.values())
    this.#outages.clear()
  }

  /** An agent asked for work of these locations. */
  asked(locations: ReadonlySet<LocationId>): void {
    const now = this.#clock.monotonic()
    for (const location of locations) {
      this.#seen.set(location, now)
      this.#known.delete(location)
      const outage = this.#outages.get(location)
      if (outage === undefined) continue
      this.#outages.delete(location)
      this.#ended.push(outage)
    }
  }

  /**
   * A location that had an agent counts as served for `unavailableAfterMs` after its last call, or after a start, because
   * agents come back. Where none has ever called, nobody is waited for.
   */
  hasAgent(location: LocationId): boolean {
    return (
      !this.isAwaited(location) &&
      this.#clock.monotonic() - (this.#seen.get(location) ?? this.#since) < unavailableAfterMs
    )
  }

  /** No agent has ever called for this location, which has a key of its own. */
  isAwaited(location: LocationId): boolean {
    return this.#awaited().has(location)
  }

  /** True once per check and outage of the location. */
  isFirstRefusal(location: LocationId, checkId: string): boolean {
    const known = this.#known.get(location)
    if (known?.has(checkId)) return false
    if (known === undefined) this.#known.set(location, new Set([checkId]))
    else known.add(checkId)
    return true
  }

  /** Adds a slot that is not run to the outage of its location. */
  leaveOut(location: LocationId, due: number): void {
    const outage = this.#outages.get(location)
    if (outage === undefined) this.#outages.set(location, { location, from: due, to: due })
    else outage.to = Math.max(outage.to, due)
  }

  /** Locations without agents whose slots are not run now. */
  current(): LocationId[] {
    return [...this.#outages.keys()]
  }

  /** Current outages and ended ones that are not stored; the same objects at every call. */
  outages(): Outage[] {
    return [...this.#ended, ...this.#outages.values()]
  }

  /** Removes ended outages that were stored up to their end. */
  written(upTo: ReadonlyMap<Outage, number>): void {
    this.#ended = this.#ended.filter((outage) => upTo.get(outage) !== outage.to)
  }
}
