import type { Clock, LocationId } from '@vedette/wire'

/** A location that no agent asked work for in this time has none: nothing is scheduled there until one is back. */
export const unavailableAfterMs = 10 * 60_000

/** An outage of a location: first and last due time of the slots that were not run for it. */
export interface Outage {
  location: LocationId
  from: number
  to: number
}

/** Which locations have agents. A location that lost them is one gap, not a lost run for each of its slots. */
export class Availability {
  readonly #clock: Clock
  readonly #seen = new Map<LocationId, number>()
  readonly #outages = new Map<LocationId, Outage>()
  /** Over, and not yet written down. */
  #ended: Outage[] = []
  #since: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#since = clock.now()
  }

  /** A new term begins. What the one before did not write down is in the gap between them. */
  begin(): void {
    this.slept()
    this.#ended = []
  }

  /** We heard nobody: every location is given time for its agents to say that they are there. */
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

  /** False when a slot is not to be run, which is noted. */
  take(location: LocationId, due: number): boolean {
    if (this.hasAgent(location)) return true
    const outage = this.#outages.get(location)
    if (outage === undefined) this.#outages.set(location, { location, from: due, to: due })
    else outage.to = Math.max(outage.to, due)
    return false
  }

  /** Outages that last and those to be written down yet, each the same object at every call. */
  outages(): Outage[] {
    return [...this.#ended, ...this.#outages.values()]
  }

  /** Forgets those that ended and were written down up to their end. */
  written(upTo: ReadonlyMap<Outage, number>): void {
    this.#ended = this.#ended.filter((outage) => upTo.get(outage) !== outage.to)
  }
}
