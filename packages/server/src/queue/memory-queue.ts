import { staleAfterMs, type CancelTimer, type Clock, type LocationId } from '@vedette/wire'
import type { RunRef } from '../runs.ts'
import { LongPolls, newPoll, type LongPoll } from './long-polls.ts'
import { RunItems, type RunItem } from './run-items.ts'
import type {
  HeldRun,
  LeaseCall,
  LeasedRun,
  LossReason,
  OnLost,
  RunMemory,
  RunQueue,
  Urgency,
  WaitingAt,
} from './run-queue.ts'
import { WaitingLines } from './waiting-lines.ts'

/** A run whose agent was lost waits at most this long for another agent. */
const rerunWaitMs = 300_000
/** Time in which a re-run is only given to an agent other than the one that lost it. */
const otherAgentFirstMs = 10_000
const sweepEveryMs = 1000

export interface MemoryQueueOptions {
  clock: Clock
  memory: RunMemory
  onLost: OnLost
  leaseMs: number
}

/** What an agent that reports to hold a run proves of it: its token, or only the locations it serves. */
interface Claim {
  run?: HeldRun
  locations?: ReadonlySet<LocationId>
}

/** The queue of one process. Its content is lost with the process and restored from the database. */
export class MemoryQueue implements RunQueue {
  readonly #options: MemoryQueueOptions
  readonly #items = new RunItems()
  readonly #lines = new WaitingLines()
  readonly #polls: LongPolls
  #sweep: CancelTimer | undefined
  #running = false

  constructor(options: MemoryQueueOptions) {
    this.#options = options
    this.#polls = new LongPolls(options.clock)
    options.memory.onOver((id) => this.#items.forget(id))
  }

  /** Calls that came after the last term may have left runs here. */
  start(): void {
    this.#clear()
    this.#running = true
    this.#armSweep()
  }

  stop(): Promise<void> {
    this.#running = false
    this.#sweep?.()
    this.#sweep = undefined
    this.#polls.end()
    this.#clear()
    return Promise.resolve()
  }

  #clear(): void {
    this.#items.clear()
    this.#lines.clear()
  }

  enqueue(refs: readonly RunRef[], urgency: Urgency = 'steady'): Promise<void> {
    for (const ref of refs) this.#enqueueOne(ref, urgency)
    this.#offer()
    this.#armSweep()
    return Promise.resolve()
  }

  async lease(call: LeaseCall): Promise<LeasedRun[]> {
    const poll = newPoll(call)
    while (this.#takeOne(poll)) continue
    if (poll.taken.length === 0 && call.waitMs > 0 && this.#running && !call.signal.aborted)
      await this.#polls.wait(poll)
    return poll.taken
  }

  renew(keyId: string, runs: readonly HeldRun[]): Promise<string[]> {
    const refused = runs.filter((run) => !this.#hold(keyId, run.attemptId, { run }))
    return Promise.resolve(refused.map(({ attemptId }) => attemptId))
  }

  adopt(keyId: string, attemptIds: readonly string[], locations: ReadonlySet<LocationId>): Promise<void> {
    for (const id of attemptIds) {
      const location = this.#items.get(id)?.ref?.location
      if (location === undefined || locations.has(location)) this.#hold(keyId, id, { locations })
    }
    this.#armSweep()
    return Promise.resolve()
  }

  release(keyId: string, attemptIds: readonly string[]): Promise<void> {
    for (const id of attemptIds) {
      const item = this.#items.get(id)
      if (item?.state !== 'leased' || item.keyId !== keyId) continue
      if (item.ref === undefined) this.#items.forget(item.id)
      else this.#waitAgain(item, item.ref)
    }
    this.#offer()
    return Promise.resolve()
  }

  releaseOf(keyId: string): Promise<void> {
    const held = [...this.#items.all()].filter((item) => item.state === 'leased' && item.keyId === keyId)
    return this.release(
      keyId,
      held.map(({ id }) => id),
    )
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

  giveUpAt(location: LocationId, checkId: string): Promise<void> {
    for (const item of this.#items.ofCheck(checkId))
      if (item.state === 'waiting' && item.ref?.location === location) this.#lose(item, 'no-agent-yet')
    return Promise.resolve()
  }

  dropCheck(checkId: string): Promise<string[]> {
    const held: string[] = []
    for (const item of this.#items.ofCheck(checkId)) {
      if (item.state === 'waiting') this.#options.memory.end([item.id])
      else {
        item.superseded = true
        held.push(item.id)
      }
    }
    return Promise.resolve(held)
  }

  depth(): { waiting: number; leased: number } {
    const { size, leased } = this.#items
    return { waiting: size - leased, leased }
  }

  waitingAt(): WaitingAt[] {
    return this.#items.waitingAt(this.#now())
  }

  leasedAt(): ReadonlyMap<LocationId, number> {
    return this.#items.leasedAt()
  }

  #now(): number {
    return this.#options.clock.monotonic()
  }

  #enqueueOne(ref: RunRef, urgency: Urgency): void {
    if (this.#options.memory.isOver(ref.attemptId)) return
    const known = this.#items.get(ref.attemptId)
    if (known !== undefined) {
      if (known.ref !== undefined) return
      if (known.locations?.has(ref.location) ?? true) {
        this.#items.identify(known, ref)
        return
      }
      this.#items.forget(known.id)
    }
    // A tick is as old as its slot; a retry is due long after it.
    const isTick = ref.attempt === 0 && ref.source === 'SCHEDULER'
    const ageMs = isTick ? Math.max(0, this.#options.clock.now() - ref.dueAt) : 0
    const item = this.#items.add(ref.attemptId, ref, this.#now() - ageMs)
    item.urgency = urgency
    item.state = 'waiting'
    this.#lines.push(item, ref)
  }

  #offer(): void {
    this.#polls.offer((poll) => this.#takeOne(poll))
  }

  /** Leases the run whose turn it is among those the caller may have. */
  #takeOne({ call, taken }: LongPoll): boolean {
    const item = this.#lines.take(call, taken, (one) => this.#mayHave(call, one))
    if (item?.ref === undefined) return false
    const leasedAt = this.#options.clock.now()
    const waitedMs = Math.max(0, Math.min(this.#now() - item.since, leasedAt - item.ref.dueAt))
    Object.assign(item, { leasedAt, heldSince: this.#now(), limitMs: Infinity })
    this.#leaseTo(item, call.keyId, call.agentId)
    taken.push({ ref: item.ref, leasedAt, expiresAt: leasedAt + this.#options.leaseMs, waitedMs })
    return true
  }

  #mayHave(call: LeaseCall, item: RunItem): boolean {
    const lostIt = item.expiries > 0 && item.agentId === call.agentId
    return !lostIt || this.#now() - item.releasedAt >= otherAgentFirstMs
  }

  #leaseTo(item: RunItem, keyId: string, agentId: string): void {
    this.#items.lease(item, { keyId, agentId, expiresAt: this.#now() + this.#options.leaseMs })
  }

  /** True when the run is this key's: leased to it, waiting again after an expiry, or unknown to the queue. */
  #hold(keyId: string, id: string, { run, locations }: Claim): boolean {
    if (this.#options.memory.isOver(id)) return false
    const item = this.#items.get(id) ?? this.#bring(id, locations)
    if (item.state === 'leased' && item.keyId !== keyId) return false
    item.heldSince ??= this.#now() - (run === undefined ? 0 : Math.max(0, this.#options.clock.now() - run.leasedAt))
    item.limitMs = run?.limitMs ?? item.limitMs
    if (this.#isBeyondLimit(item)) {
      this.#expire(item)
      return false
    }
    this.#leaseTo(item, keyId, item.agentId)
    return true
  }

  #bring(id: string, locations: ReadonlySet<LocationId> | undefined): RunItem {
    const item = this.#items.add(id, undefined, this.#now())
    item.locations = locations
    return item
  }

  #isBeyondLimit({ heldSince, limitMs }: RunItem): boolean {
    return heldSince !== undefined && this.#now() - heldSince > limitMs
  }

  #waitAgain(item: RunItem, ref: RunRef): void {
    this.#items.takeBack(item, this.#now())
    this.#lines.pushFirst(item, ref)
  }

  #lose(item: RunItem, reason: LossReason): void {
    this.#options.memory.giveUp(item.id)
    if (item.ref !== undefined) this.#options.onLost(item.ref, reason)
  }

  #expire(item: RunItem): void {
    if (item.state === 'waiting') return
    if (item.ref === undefined) this.#items.forget(item.id)
    else if (item.superseded || item.expiries > 0) this.#lose(item, 'lease-lost')
    else {
      item.expiries++
      item.since = this.#now()
      this.#waitAgain(item, item.ref)
    }
  }

  #armSweep(): void {
    if (!this.#running || this.#sweep !== undefined || this.#items.size === 0) return
    this.#sweep = this.#options.clock.after(sweepEveryMs, () => {
      this.#sweep = undefined
      this.#sweepOnce(this.#now())
      this.#armSweep()
    })
  }

  #sweepOnce(now: number): void {
    for (const item of this.#items.all()) {
      if (item.state === 'leased' && (item.expiresAt <= now || this.#isBeyondLimit(item))) this.#expire(item)
      else if (item.state === 'waiting' && item.expiries > 0 && now - item.since >= rerunWaitMs)
        this.#lose(item, 'lease-lost')
      else if (item.state === 'waiting' && item.expiries === 0 && now - item.since >= staleAfterMs)
        this.#lose(item, 'missed')
    }
    this.#offer()
  }
}
