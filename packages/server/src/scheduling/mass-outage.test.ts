import type { RetryStrategy } from '@vedette/wire'
import { expect, it } from 'vitest'
import { nextAttempt } from '../ingest/retry.ts'
import { MemoryQueue } from '../queue/memory-queue.ts'
import type { CommittedResult, RunRef } from '../runs.ts'
import { TestClock } from '../../test-support/clock.ts'
import { scheduledCheck, schedulerOf } from '../../test-support/schedule.ts'
import { seededRandom } from '../../test-support/simulator/random.ts'
import { seededUuid } from '../../test-support/simulator/sim-checks.ts'
import { followResults, type EndingParts } from './end-runs.ts'
import { Outlook } from './outlook.ts'
import { RunLedger } from './run-ledger.ts'
import type { ScheduledCheck } from './schedule-entry.ts'
import type { Scheduler } from './scheduler.ts'

const minute = 60_000
/** A run whose target swallows all packets keeps its slot for this long. */
const timeoutMs = 30_000
const location = 'eu-west-1'
const someLocations: ScheduledCheck['locations'] = [location]

const retryStrategy: RetryStrategy = {
  type: 'FIXED',
  baseBackoffSeconds: 10,
  maxRetries: 1,
  maxDurationSeconds: 600,
  sameRegion: true,
  onlyOn: [],
}

/** Scheduler and queue with an agent of few slots; what is stored is only remembered. */
class Fleet {
  readonly clock = new TestClock(undefined, () => Promise.resolve())
  readonly down = new Set<string>()
  /** When the first final failure of a check was known. */
  readonly failedAt = new Map<string, number>()
  readonly finals: { checkId: string; outcome: string; at: number }[] = []
  readonly checks: ScheduledCheck[]
  readonly #slots: number
  readonly #ledger = new RunLedger(this.clock)
  readonly #outlook = new Outlook()
  readonly #queue: MemoryQueue
  readonly #scheduler: Scheduler
  readonly #startedAt = new Map<string, number>()
  #running: { ref: RunRef; endsAt: number }[] = []

  constructor(checks: number, slots: number) {
    // Their due times follow from their ids: with unlucky ones the last check is known one waiting time later.
    const random = seededRandom(checks)
    const ids = Array.from({ length: checks }, () => seededUuid(random))
    this.checks = ids.map((checkId) => scheduledCheck({ checkId, locations: [location] }))
    this.#slots = slots
    const parts = { clock: this.clock, memory: this.#ledger, leaseMs: 60_000 }
    this.#queue = new MemoryQueue({ ...parts, onLost: (ref) => this.#end(ref, 'unknown') })
    this.#scheduler = schedulerOf({
      clock: this.clock,
      queue: this.#queue,
      ledger: this.#ledger,
      outlook: this.#outlook,
      onLost: (ref) => this.#end(ref, 'unknown'),
    })
    this.#queue.start()
    this.#scheduler.start(this.checks, [], undefined)
  }

  /** Lets time pass in seconds. */
  async live(ms: number): Promise<void> {
    for (const until = this.clock.now() + ms; this.clock.now() < until;) {
      await this.clock.advance(1000)
      await this.#work()
    }
  }

  async stop(): Promise<void> {
    this.#scheduler.stop()
    await this.#queue.stop()
  }

  async #work(): Promise<void> {
    const now = this.clock.now()
    for (const { ref } of this.#running.filter(({ endsAt }) => endsAt <= now)) this.#end(ref, 'fail')
    this.#running = this.#running.filter(({ endsAt }) => endsAt > now)
    for (let leased = 1; leased > 0 && this.#running.length < this.#slots;) {
      const refs = await this.#lease(this.#slots - this.#running.length)
      leased = refs.length
      for (const ref of refs) this.#run(ref, now)
    }
  }

  async #lease(free: number): Promise<RunRef[]> {
    const { signal } = new AbortController()
    const locations = new Set([location] as const)
    const call = { keyId: 'k', agentId: 'a', locations, free: { network: free }, waitMs: 0, signal }
    return (await this.#queue.lease(call)).map(({ ref }) => ref)
  }

  #run(ref: RunRef, now: number): void {
    if (!this.#startedAt.has(ref.sequenceId)) this.#startedAt.set(ref.sequenceId, now)
    if (this.down.has(ref.checkId)) this.#running.push({ ref, endsAt: now + timeoutMs })
    else this.#end(ref, 'pass')
  }

  #end(ref: RunRef, outcome: CommittedResult['outcome']): void {
    const now = this.clock.now()
    const lost = outcome === 'unknown' && ref.attempt > 0
    const runStartedAt = this.#startedAt.get(ref.sequenceId) ?? now
    const settings = { retryStrategy, locations: [...someLocations], runParallel: false }
    const attempt = { ref, networkError: true, runStartedAt, endedAt: now, late: false, lost }
    const retry = outcome === 'fail' || lost ? nextAttempt(settings, attempt, now) : undefined
    if (retry === undefined) this.#note(ref.checkId, outcome, now)
    const resultType = retry === undefined ? 'FINAL' : 'ATTEMPT'
    const result = {
      ...ref,
      resultId: ref.attemptId,
      resultType,
      outcome,
      degraded: false,
      retry,
      notifications: outcome === 'fail' ? 1 : 0,
    }
    const parts = { ledger: this.#ledger, outlook: this.#outlook, scheduler: this.#scheduler }
    followResults(parts as unknown as EndingParts, [result as unknown as CommittedResult])
  }

  #note(checkId: string, outcome: string, at: number): void {
    this.finals.push({ checkId, outcome, at })
    if (outcome === 'fail' && !this.failedAt.has(checkId)) this.failedAt.set(checkId, at)
  }
}

it.each([
  { checks: 1000, down: 1000, slots: 100, withinMs: 12 * minute },
  { checks: 1000, down: 320, slots: 100, withinMs: 6 * minute },
  // Twenty times the slots there are: a first look at all of them takes longer than a run may wait.
  { checks: 400, down: 400, slots: 20, withinMs: 36 * minute },
  { checks: 40, down: 40, slots: 2, withinMs: 36 * minute },
])(
  'when $down of $checks checks fail at once, $slots slots are enough to know of each in bounded time',
  { timeout: 60_000 },
  async ({ checks, down, slots, withinMs }) => {
    const fleet = new Fleet(checks, slots)
    await fleet.live(3 * minute)
    for (const { checkId } of fleet.checks.slice(0, down)) fleet.down.add(checkId)
    await fleet.live(withinMs)
    expect(new Set(fleet.failedAt.keys())).toEqual(fleet.down)
    const recent = fleet.finals.filter(({ at, outcome }) => at > fleet.clock.now() - withinMs && outcome !== 'unknown')
    expect(new Set(recent.map(({ checkId }) => checkId)).size).toBe(checks)
    await fleet.stop()
  },
)
