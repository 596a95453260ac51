import type { CancelTimer, Clock, LocationId, WorkerClass } from '@vedette/wire'
import type { RunRef } from '../runs.ts'
import type { LeaseCall, LeasedRun, LossReason, OnLost, RunQueue } from './run-queue.ts'
import { WaitingLine } from './waiting-line.ts'

/** A run that no agent took for this long is given up. */
const missedAfterMs = 6 * 60_000
/** A run whose agent was lost waits this long for another one. */
const rerunWaitMs = 300_000
/** For this long a re-run is kept for an agent other than the one that lost it. */
const otherAgentFirstMs = 10_000
/** Ids of runs that ended are remembered this long, so that a redelivery stays a no-op. */
const rememberMs = 2 * 60_000
const sweepEveryMs = 1000

export interface MemoryQueueOptions {
  clock: Clock
  onLost: OnLost
  leaseMs: number
}

interface Item {
  id: string
  /** Unknown when an agent brought the run along from before a restart. */
  ref: RunRef | undefined
  /** `gone`: ended, or not yet in a line. */
  state: 'waiting' | 'leased' | 'gone'
  /** Start of the wait. */
  since: number
  keyId: string
  agentId: string
  leasedAt: number
  expiresAt: number
  expiries: number
  superseded: boolean
  releasedAt: number
  /** Of a run brought along on an agent's word: where it may turn out to belong. */
  locations: ReadonlySet<LocationId> | undefined
}

interface Waiter {
  call: LeaseCall
  taken: LeasedRun[]
  resolve(): void
}

/** The queue of one process. Nothing in it outlives the process, and nothing needs to. */
export class MemoryQueue implements RunQueue {
  readonly #options: MemoryQueueOptions
  readonly #items = new Map<string, Item>()
  readonly #lines = new Map<string, WaitingLine<Item>>()
  readonly #ended = new Map<string, number>()
  readonly #waiters = new Set<Waiter>()
  #sweep: CancelTimer | undefined
  #running = false
  #leased = 0

  constructor(options: MemoryQueueOptions) {
    this.#options = options
  }

  start(): void {
    this.#running = true
    this.#armSweep()
  }

  stop(): Promise<void> {
    this.#running = false
    this.#sweep?.()
    this.#sweep = undefined
    for (const waiter of this.#waiters) waiter.resolve()
    this.#items.clear()
    this.#lines.clear()
    this.#ended.clear()
    this.#leased = 0
    return Promise.resolve()
  }

  enqueue(refs: readonly RunRef[]): Promise<void> {
    for (const ref of refs) this.#enqueueOne(ref)
    this.#offer()
    this.#armSweep()
    return Promise.resolve()
  }

  async lease(call: LeaseCall): Promise<LeasedRun[]> {
    const waiter: Waiter = { call, taken: [], resolve: () => undefined }
    while (this.#takeOne(waiter)) continue
    if (waiter.taken.length === 0 && call.waitMs > 0 && this.#running && !call.signal.aborted) await this.#wait(waiter)
    return waiter.taken
  }

  renew(keyId: string, attemptIds: readonly string[]): Promise<string[]> {
    return Promise.resolve(attemptIds.filter((id) => !this.#hold(keyId, id)))
  }

  adopt(keyId: string, attemptIds: readonly string[], locations: ReadonlySet<LocationId>): Promise<void> {
    for (const id of attemptIds) {
      const location = this.#items.get(id)?.ref?.location
      if (location === undefined || locations.has(location)) this.#hold(keyId, id, locations)
    }
    this.#armSweep()
    return Promise.resolve()
  }

  settle(attemptIds: readonly string[]): Promise<void> {
    for (const id of attemptIds) this.#end(id)
    return Promise.resolve()
  }

  release(keyId: string, attemptIds: readonly string[]): Promise<void> {
    for (const id of attemptIds) {
      const item = this.#items.get(id)
      if (item?.state !== 'leased' || item.keyId !== keyId) continue
      if (item.ref === undefined) this.#forget(item)
      else this.#waitAgain(item, item.ref)
    }
    this.#offer()
    return Promise.resolve()
  }

  supersede(attemptIds: readonly string[]): Promise<void> {
    for (const id of attemptIds) {
      const item = this.#items.get(id)
      if (item === undefined) continue
      item.superseded = true
      if (item.state === 'waiting' && item.expiries > 0) this.#lose(item, 'lease-lost')
    }
    return Promise.resolve()
  }

  dropCheck(checkId: string): Promise<void> {
    for (const item of this.#items.values()) {
      if (item.ref?.checkId !== checkId) continue
      if (item.state === 'waiting') this.#end(item.id)
      else item.superseded = true
    }
    return Promise.resolve()
  }

  depth(): { waiting: number; leased: number } {
    return { waiting: this.#items.size - this.#leased, leased: this.#leased }
  }

  #now(): number {
    return this.#options.clock.now()
  }

  #enqueueOne(ref: RunRef): void {
    if (this.#ended.has(ref.attemptId)) return
    const known = this.#items.get(ref.attemptId)
    if (known !== undefined) {
      if (known.ref !== undefined) return
      if (known.locations?.has(ref.location) ?? true) {
        known.ref = ref
        return
      }
      this.#forget(known)
    }
    const now = this.#now()
    // A tick is as old as its slot; a retry is due long after it.
    const isTick = ref.attempt === 0 && ref.source === 'SCHEDULER'
    const item = newItem(ref.attemptId, ref, isTick ? Math.min(ref.dueAt, now) : now)
    item.state = 'waiting'
    this.#items.set(item.id, item)
    this.#line(ref.location, ref.workerClass).push(item)
  }

  #line(location: LocationId, workerClass: WorkerClass): WaitingLine<Item> {
    const key = `${workerClass} ${location}`
    let line = this.#lines.get(key)
    if (line === undefined) this.#lines.set(key, (line = new WaitingLine((item) => item.state !== 'waiting')))
    return line
  }

  /** Gives every waiting agent one run in turn until there is nothing left to give. */
  #offer(): void {
    if (this.#waiters.size === 0) return
    let given = true
    while (given) {
      given = false
      for (const waiter of this.#waiters) given = this.#takeOne(waiter) || given
    }
    for (const waiter of this.#waiters) if (waiter.taken.length > 0) waiter.resolve()
  }

  /** Leases the run that has waited longest among those the caller may have. */
  #takeOne(waiter: Waiter): boolean {
    const { call, taken } = waiter
    let oldest: Item | undefined
    for (const workerClass of Object.keys(call.free) as WorkerClass[]) {
      const used = taken.filter(({ ref }) => ref.workerClass === workerClass).length
      if (used >= (call.free[workerClass] ?? 0)) continue
      for (const location of call.locations) {
        const item = this.#lines.get(`${workerClass} ${location}`)?.peek((candidate) => this.#mayHave(call, candidate))
        if (item !== undefined && (oldest === undefined || item.since < oldest.since)) oldest = item
      }
    }
    if (oldest?.ref === undefined) return false
    this.#leaseTo(oldest, call.keyId, call.agentId)
    taken.push({ ref: oldest.ref, leasedAt: oldest.leasedAt, expiresAt: oldest.expiresAt })
    return true
  }

  #mayHave(call: LeaseCall, item: Item): boolean {
    const lostIt = item.expiries > 0 && item.agentId === call.agentId
    return !lostIt || this.#now() - item.releasedAt >= otherAgentFirstMs
  }

  #leaseTo(item: Item, keyId: string, agentId: string): void {
    if (item.state !== 'leased') this.#leased++
    item.state = 'leased'
    item.keyId = keyId
    item.agentId = agentId
    item.leasedAt = this.#now()
    item.expiresAt = item.leasedAt + this.#options.leaseMs
  }

  #wait(waiter: Waiter): Promise<void> {
    const { call } = waiter
    return new Promise((resolve) => {
      const finish = (): void => {
        this.#waiters.delete(waiter)
        cancel()
        call.signal.removeEventListener('abort', finish)
        resolve()
      }
      const cancel = this.#options.clock.after(call.waitMs, finish)
      waiter.resolve = finish
      call.signal.addEventListener('abort', finish)
      this.#waiters.add(waiter)
    })
  }

  /** True when the run is this key's: it was leased to it, waits again after an expiry, or is new to the queue. */
  #hold(keyId: string, id: string, locations?: ReadonlySet<LocationId>): boolean {
    if (this.#ended.has(id)) return false
    const item = this.#items.get(id)
    if (item === undefined) {
      const brought = newItem(id, undefined, this.#now())
      brought.locations = locations
      this.#items.set(id, brought)
      this.#leaseTo(brought, keyId, '')
      return true
    }
    if (item.state === 'leased' && item.keyId !== keyId) return false
    const { agentId, leasedAt } = item
    this.#leaseTo(item, keyId, agentId)
    if (leasedAt > 0) item.leasedAt = leasedAt
    return true
  }

  #waitAgain(item: Item, ref: RunRef): void {
    if (item.state === 'leased') this.#leased--
    item.state = 'waiting'
    item.keyId = ''
    item.releasedAt = this.#now()
    this.#line(ref.location, ref.workerClass).pushFirst(item)
  }

  #end(id: string): void {
    this.#ended.set(id, this.#now())
    const item = this.#items.get(id)
    if (item !== undefined) this.#forget(item)
  }

  #forget(item: Item): void {
    if (item.state === 'leased') this.#leased--
    item.state = 'gone'
    this.#items.delete(item.id)
  }

  #lose(item: Item, reason: LossReason): void {
    this.#end(item.id)
    if (item.ref !== undefined) this.#options.onLost(item.ref, reason)
  }

  #expire(item: Item): void {
    if (item.ref === undefined) this.#forget(item)
    else if (item.superseded || item.expiries > 0) this.#lose(item, 'lease-lost')
    else {
      item.expiries++
      item.since = this.#now()
      this.#waitAgain(item, item.ref)
    }
  }

  #armSweep(): void {
    if (!this.#running || this.#sweep !== undefined || this.#items.size + this.#ended.size === 0) return
    this.#sweep = this.#options.clock.after(sweepEveryMs, () => {
      this.#sweep = undefined
      this.#sweepOnce(this.#now())
      this.#armSweep()
    })
  }

  #sweepOnce(now: number): void {
    for (const item of this.#items.values()) {
      // A clock that was set back must not keep the runs of a lost agent for ever.
      item.expiresAt = Math.min(item.expiresAt, now + this.#options.leaseMs)
      item.since = Math.min(item.since, now)
      if (item.state === 'leased' && item.expiresAt <= now) this.#expire(item)
      else if (item.state === 'waiting' && item.expiries > 0 && now - item.since >= rerunWaitMs)
        this.#lose(item, 'lease-lost')
      else if (item.state === 'waiting' && item.expiries === 0 && now - item.since >= missedAfterMs)
        this.#lose(item, 'missed')
    }
    for (const [id, at] of this.#ended) {
      if (now - at < rememberMs) break
      this.#ended.delete(id)
    }
    this.#offer()
  }
}

function newItem(id: string, ref: RunRef | undefined, since: number): Item {
  return {
    id,
    ref,
    state: 'gone',
    since,
    keyId: '',
    agentId: '',
    leasedAt: 0,
    expiresAt: 0,
    expiries: 0,
    superseded: false,
    releasedAt: 0,
    locations: undefined,
  }
}
