import type { LocationId } from '@vedette/wire'
import type { RunRef } from '../runs.ts'
import type { Urgency, WaitingAt } from './run-queue.ts'

/** A run in the memory queue. */
export interface RunItem {
  id: string
  /** Unknown when an agent reports a run from before a restart. */
  ref: RunRef | undefined
  urgency: Urgency
  /** `gone`: over, or not yet queued. */
  state: 'waiting' | 'leased' | 'gone'
  /** Start of the wait. This and the other times are monotonic, except `leasedAt`. */
  since: number
  keyId: string
  agentId: string
  /** Epoch milliseconds. */
  leasedAt: number
  /** Start of the lease; undefined before the first one. */
  heldSince: number | undefined
  /** Longest duration of the lease; known once the agent renews. */
  limitMs: number
  expiresAt: number
  expiries: number
  superseded: boolean
  releasedAt: number
  /** Locations of the agent that reported an unknown run: the run must belong to one of them. */
  locations: ReadonlySet<LocationId> | undefined
}

/** The runs of a memory queue by attempt id, and how many of them are leased. */
export class RunItems {
  readonly #items = new Map<string, RunItem>()
  readonly #byCheck = new Map<string, Set<RunItem>>()
  #leased = 0

  get size(): number {
    return this.#items.size
  }

  get leased(): number {
    return this.#leased
  }

  get(id: string): RunItem | undefined {
    return this.#items.get(id)
  }

  all(): Iterable<RunItem> {
    return this.#items.values()
  }

  waitingAt(now: number): WaitingAt[] {
    const found = new Map<LocationId, WaitingAt>()
    for (const { state, ref, since } of this.#items.values()) {
      if (state !== 'waiting' || ref === undefined) continue
      const { location } = ref
      const { count, oldestMs } = found.get(location) ?? { count: 0, oldestMs: 0 }
      found.set(location, { location, count: count + 1, oldestMs: Math.max(oldestMs, now - since) })
    }
    return [...found.values()]
  }

  leasedAt(): Map<LocationId, number> {
    const found = new Map<LocationId, number>()
    for (const { state, ref } of this.#items.values())
      if (state === 'leased' && ref !== undefined) found.set(ref.location, (found.get(ref.location) ?? 0) + 1)
    return found
  }

  /** A copy, because ending a run changes the index. */
  ofCheck(checkId: string): RunItem[] {
    return [...(this.#byCheck.get(checkId) ?? [])]
  }

  /** The run of an item that an agent brought along. */
  identify(item: RunItem, ref: RunRef): void {
    item.ref = ref
    const others = this.#byCheck.get(ref.checkId)
    if (others === undefined) this.#byCheck.set(ref.checkId, new Set([item]))
    else others.add(item)
  }

  add(id: string, ref: RunRef | undefined, since: number): RunItem {
    const item: RunItem = {
      id,
      ref: undefined,
      urgency: 'steady',
      state: 'gone',
      since,
      keyId: '',
      agentId: '',
      leasedAt: 0,
      heldSince: undefined,
      limitMs: Infinity,
      expiresAt: 0,
      expiries: 0,
      superseded: false,
      releasedAt: 0,
      locations: undefined,
    }
    this.#items.set(id, item)
    if (ref !== undefined) this.identify(item, ref)
    return item
  }

  lease(item: RunItem, lease: Pick<RunItem, 'keyId' | 'agentId' | 'expiresAt'>): void {
    if (item.state !== 'leased') this.#leased++
    item.state = 'leased'
    Object.assign(item, lease)
  }

  /** Ends the lease: the run waits again from now on. */
  takeBack(item: RunItem, now: number): void {
    if (item.state === 'leased') this.#leased--
    item.state = 'waiting'
    item.keyId = ''
    item.releasedAt = now
  }

  forget(id: string): void {
    const item = this.#items.get(id)
    if (item === undefined) return
    if (item.state === 'leased') this.#leased--
    item.state = 'gone'
    this.#items.delete(id)
    if (item.ref === undefined) return
    const others = this.#byCheck.get(item.ref.checkId)
    others?.delete(item)
    if (others?.size === 0) this.#byCheck.delete(item.ref.checkId)
  }

  clear(): void {
    this.#items.clear()
    this.#byCheck.clear()
    this.#leased = 0
  }
}
