import type { Clock, LocationId } from '@vedette/wire'

/** A location has no agent when none asked for work for this long: nothing is scheduled there until one asks. */
export const unavailableAfterMs = 10 * 60_000

/** An outage of a location: first and last due time of the slots that were not run for it. */
export interface Outage {
  location: LocationId
  from: number
  to: number
}

/** Which locations have agents. The slots of a location without agents are recorded as one gap, not as lost runs. */
export class Availability {
  readonly #clock: Clock
  readonly #seen = new Map<LocationId, number>()
  readonly #outages = new Map<LocationId, Outage>()
  /** Outages that ended and are not yet stored. */
  #ended: Outage[] = []
  #since: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#since = clock.now()
  }

  /** Starts a new term. What the last term did not store is part of the gap between them. */
  begin(): void {
    this.slept()
    this.#ended = []
  }

  /** The process slept and got no calls: every location counts as served for `unavailableAfterMs` again. */
  slept(): void {
    this.#since = this.#clock.now()
    this.#seen.clear()
    this.#ended.push(...this.#outages.values())
    this.#outages.clear()
  }

  /** An agent asked for work of these locations. */
  asked(locations: ReadonlySet<LocationId>): void {
    const now = this.#clock.now()
    for (const location of locations) {
      this.#seen.set(location, now)
      const outage = this.#outages.get(location)
      if (outage === undefined) continue
      this.#outages.delete(location)
      this.#ended.push(outage)
    }
  }

  hasAgent(location: LocationId): boolean {
    return this.#clock.now() - (this.#seen.get(location) ?? this.#since) < unavailableAfterMs
  }

  /** Returns false when the slot is not to be run, and adds it to the outage. */
  take(location: LocationId, due: number): boolean {
    if (this.hasAgent(location)) return true
    const outage = this.#outages.get(location)
    if (outage === undefined) this.#outages.set(location, { location, from: due, to: due })
    else outage.to = Math.max(outage.to, due)
    return false
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
