import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MemoryQueue } from '../queue/memory-queue.ts'
import type { RunQueue } from '../queue/run-queue.ts'
import type { PendingRun, RunRef } from '../runs.ts'
import { handedOutAheadMs } from '@vedette/wire'
import { RunLedger } from './run-ledger.ts'
import { comingSlot, dueOf, latestSlot, timetableOf, type ScheduledCheck } from './schedule-entry.ts'
import { TestClock } from '../../test-support/clock.ts'
import { someRef } from '../../test-support/runs.ts'
import { idDueLater, scheduledCheck, schedulerOf } from '../../test-support/schedule.ts'

function given(clock: TestClock, queue?: Partial<RunQueue>) {
  const started: (RunRef & { at: number })[] = []
  const skipped: { from: number; to: number; reason: string }[] = []
  const dropped: string[] = []
  const lost: [string, string][] = []
  const ledger = new RunLedger(clock)
  const taking: Partial<RunQueue> = {
    enqueue: (refs) => {
      started.push(...refs.map((ref) => ({ ...ref, at: clock.now() })))
      // Every run ends at once: these tests only cover starts.
      for (const ref of refs) ledger.end([ref.attemptId])
      return Promise.resolve()
    },
    ...queue,
  }
  let leads = Infinity
  const scheduler = schedulerOf({
    clock,
    queue: taking as RunQueue,
    ledger,
    leadsForMs: () => leads,
    onLost: (ref, because) => lost.push([ref.attemptId, because]),
    onSkipped: (span) => skipped.push(span),
    onDropped: (ref) => dropped.push(ref.attemptId),
  })
  return { scheduler, started, skipped, dropped, lost, ledger, leadFor: (ms: number) => (leads = ms) }
}

const oneShotOf = ({ accountId, checkId }: ScheduledCheck, runAt: number): PendingRun => ({
  ...someRef({ now: () => runAt }, { accountId, checkId, attempt: 1 }),
  runAt,
})

const every10s = { frequency: 0, frequencyOffset: 10 }
const everyDay = { frequency: 1440, frequencyOffset: 1 }

/** A check that no test meets at the start of its clock. */
const checkDueLater = (clock: TestClock, schedule: typeof every10s) =>
  scheduledCheck({ ...schedule, checkId: idDueLater(schedule, clock.now()) })

const dueBy = (clock: TestClock, refs: readonly RunRef[]) => refs.filter(({ dueAt }) => dueAt <= clock.now())

describe('the scheduler', () => {
  it('starts every slot of every check exactly once, over any number of restarts', async () => {
    const cuts = fc.array(fc.nat(100_000), { minLength: 1, maxLength: 6 })
    const kinds = fc.array(fc.constantFrom([0, 10], [0, 20], [1, 1], [2, 3]), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(cuts, kinds, async (spans, list) => {
        const clock = new TestClock()
        const checks = list.map(([frequency = 1, frequencyOffset = 1]) =>
          scheduledCheck({ frequency, frequencyOffset }),
        )
        const begun = clock.now()
        const slots = new Set<string>()
        let watermark: number | undefined
        let handedOutTo = begun
        for (const span of spans) {
          const { scheduler, started, skipped } = given(clock)
          scheduler.start(checks, [], watermark)
          await clock.advance(span)
          scheduler.halt()
          watermark = scheduler.handledTo() - 1
          handedOutTo = scheduler.handledTo()
          scheduler.stop()
          expect(skipped).toEqual([])
          for (const ref of started) {
            const name = `${ref.checkId} ${ref.dueAt}`
            expect(slots.has(name)).toBe(false)
            slots.add(name)
            expect(ref.at).toBeLessThanOrEqual(ref.dueAt)
            expect(ref.dueAt - ref.at).toBeLessThanOrEqual(handedOutAheadMs)
          }
        }
        const expected = checks.flatMap((check) => {
          const timetable = timetableOf(check)
          const dues: string[] = []
          for (let n = latestSlot(timetable, begun) + 1; dueOf(timetable, n) < handedOutTo; n++)
            dues.push(`${check.checkId} ${dueOf(timetable, n)}`)
          return dues
        })
        expect([...slots].toSorted()).toEqual(expected.toSorted())
      }),
      { numRuns: 30 },
    )
  })

  it('hands out no slot again after a term that ended before it handed anything out', async () => {
    const clock = new TestClock()
    const check = scheduledCheck({ frequency: 0, frequencyOffset: 10 })
    const due = dueOf(timetableOf(check), comingSlot(timetableOf(check), clock.now()))
    const started: RunRef[] = []
    let watermark: number | undefined
    for (const ms of [due - clock.now() - 40, 0, 100]) {
      const term = given(clock)
      term.scheduler.start([check], [], watermark)
      await clock.advance(ms)
      term.scheduler.halt()
      watermark = term.scheduler.handledTo() - 1
      term.scheduler.stop()
      started.push(...term.started)
    }
    expect(started.map(({ dueAt }) => dueAt)).toEqual([due])
  })

  it('starts runs in the order of their due times', async () => {
    const clock = new TestClock()
    const { scheduler, started } = given(clock)
    scheduler.start(
      Array.from({ length: 200 }, () => scheduledCheck()),
      [],
      undefined,
    )
    await clock.advance(60_000)
    expect(dueBy(clock, started)).toHaveLength(200)
    const dues = started.map((ref) => ref.dueAt)
    expect(dues).toEqual(dues.toSorted((a, b) => a - b))
  })

  it('hands the ticks of half a second out at once, the first of them 50 ms before it is due', async () => {
    const clock = new TestClock()
    const { scheduler, started } = given(clock)
    const checks = Array.from({ length: 500 }, () => scheduledCheck({ frequency: 0, frequencyOffset: 10 }))
    scheduler.start(checks, [], undefined)
    await clock.advance(1000)
    const before = started.length
    await clock.advance(9000)
    const later = started.slice(before)
    const times = new Set(later.map(({ at }) => at))
    expect(times.size).toBeLessThanOrEqual(9000 / 450)
    for (const time of times) {
      const aheadMs = later.filter(({ at }) => at === time).map(({ at, dueAt }) => dueAt - at)
      expect(Math.min(...aheadMs)).toBe(50)
      expect(Math.max(...aheadMs)).toBeLessThanOrEqual(handedOutAheadMs)
    }
  })

  it('hands a tick out when it is due, and not before, when agents have few places for such runs', async () => {
    const clock = new TestClock()
    const { scheduler, started } = given(clock)
    scheduler.start(
      [scheduledCheck({ workerClass: 'browser' }), scheduledCheck({ workerClass: 'script' })],
      [],
      undefined,
    )
    await clock.advance(60_000)
    expect(started.map(({ at, dueAt }) => at - dueAt)).toEqual([0, 0])
  })

  it('hands a tick out when it is due, and not before, while a run of its check is in flight', async () => {
    const clock = new TestClock()
    const check = checkDueLater(clock, every10s)
    const at: number[] = []
    const inFlight: RunRef[] = []
    const enqueue = (refs: readonly RunRef[]) => {
      at.push(...refs.map(({ dueAt }) => dueAt - clock.now()))
      inFlight.push(...refs)
      return Promise.resolve()
    }
    const { scheduler, ledger } = given(clock, { enqueue })
    scheduler.start([check], [], undefined)
    await clock.advance(10_000)
    expect(at).toEqual([50])
    await clock.advance(inFlight[0]!.dueAt + 9990 - clock.now())
    ledger.end([inFlight[0]!.attemptId])
    await clock.advance(20)
    expect(at).toEqual([50, 0])
  })

  it('counts a tick as dropped when it is due, not when it could have been handed out', async () => {
    const clock = new TestClock()
    const check = checkDueLater(clock, every10s)
    let overlaps = 0
    const ledger = new RunLedger(clock)
    const enqueue = () => Promise.resolve()
    const queue = { enqueue, supersede: enqueue } as Partial<RunQueue> as RunQueue
    const scheduler = schedulerOf({ clock, queue, ledger, onOverlap: () => overlaps++ })
    scheduler.start([check], [], undefined)
    await clock.advance(10_000)
    const due = ledger.oldestTick()
    await clock.advance(due + 9999 - clock.now())
    expect(overlaps).toBe(0)
    await clock.advance(1)
    expect(overlaps).toBe(1)
  })

  it('hands nothing out that is due after its term may be over', async () => {
    const clock = new TestClock()
    const { scheduler, started, leadFor } = given(clock)
    leadFor(200)
    scheduler.start(
      Array.from({ length: 500 }, () => scheduledCheck()),
      [],
      undefined,
    )
    await clock.advance(30_000)
    expect(started.length).toBeGreaterThan(100)
    for (const { at, dueAt } of started) expect(dueAt - at).toBeLessThanOrEqual(200)
  })

  it('needs one timer, however many checks there are', async () => {
    const clock = new TestClock()
    const { scheduler } = given(clock)
    scheduler.start(
      Array.from({ length: 500 }, () => scheduledCheck()),
      [],
      undefined,
    )
    await clock.advance(30_000)
    expect(clock.timers).toBe(1)
    scheduler.stop()
    expect(clock.timers).toBe(0)
  })

  it('catches up in portions after a long sleep, one run a check, and names the rest once', async () => {
    const clock = new TestClock()
    const { scheduler, started, skipped } = given(clock)
    const checks = Array.from({ length: 2500 }, () => scheduledCheck({ frequency: 0, frequencyOffset: 10 }))
    scheduler.start(checks, [], undefined)
    clock.jump(3_600_000)
    await clock.advance(0)
    const caughtUp = dueBy(clock, started)
    expect(caughtUp).toHaveLength(2500)
    expect(new Set(caughtUp.map((ref) => ref.checkId)).size).toBe(2500)
    expect(Math.max(...started.map((ref) => clock.now() - ref.dueAt))).toBeLessThan(10_000)
    expect(skipped).toHaveLength(1)
  })

  it('starts nothing once another process leads', async () => {
    const clock = new TestClock()
    const { scheduler, started, leadFor } = given(clock)
    scheduler.start([scheduledCheck()], [], undefined)
    leadFor(0)
    await clock.advance(300_000)
    expect(started).toEqual([])
  })

  it('runs a one-shot at its time, once, and gives an overdue one up', async () => {
    const clock = new TestClock()
    const check = checkDueLater(clock, everyDay)
    const { scheduler, started, lost } = given(clock)
    const [soon, old] = [oneShotOf(check, clock.now() + 5000), oneShotOf(check, clock.now() - 360_000)]
    scheduler.start([check], [old], undefined)
    scheduler.putOneShot(soon)
    scheduler.putOneShot(soon)
    await clock.advance(4999)
    expect(started).toEqual([])
    await clock.advance(10_000)
    expect(started.map((ref) => ref.attemptId)).toEqual([soon.attemptId])
    expect(lost).toEqual([[old.attemptId, 'missed']])
  })

  it('does not run a one-shot that ended meanwhile, nor one of a check that is gone', async () => {
    const clock = new TestClock()
    const check = checkDueLater(clock, everyDay)
    const { scheduler, started, dropped, ledger } = given(clock)
    scheduler.start([check], [], undefined)
    const [ended, orphan] = [oneShotOf(check, clock.now() + 10), oneShotOf(scheduledCheck(), clock.now() + 10)]
    scheduler.putOneShot(ended)
    scheduler.putOneShot(orphan)
    ledger.end([ended.attemptId])
    await clock.advance(1000)
    expect(started).toEqual([])
    expect(dropped).toEqual([orphan.attemptId])
  })

  it('turns ticks into a gap when the queue does not take them, and goes on', async () => {
    const clock = new TestClock()
    let isDown = true
    const enqueue = () => (isDown ? Promise.reject(new Error('The queue is away.')) : Promise.resolve())
    const { scheduler, skipped, ledger } = given(clock, { enqueue })
    const check = scheduledCheck()
    scheduler.start([check], [], undefined)
    await clock.advance(60_000)
    expect(skipped).toMatchObject([{ reason: 'The queue took no runs.' }])
    expect(ledger.size).toBe(0)
    isDown = false
    await clock.advance(60_000)
    expect(ledger.size).toBe(1)
    expect(skipped).toHaveLength(1)
  })

  it('keeps its slots when a check is changed without changing its times', async () => {
    const clock = new TestClock()
    const { scheduler, started } = given(clock)
    const check = scheduledCheck()
    scheduler.start([check], [], undefined)
    for (let i = 0; i < 6; i++) {
      await clock.advance(20_000)
      scheduler.put({ ...check, revision: i + 2 })
    }
    expect(dueBy(clock, started)).toHaveLength(2)
    scheduler.remove(check.checkId)
    const handedOut = started.length
    await clock.advance(120_000)
    expect(started).toHaveLength(handedOut)
  })
})

describe('runs in flight', () => {
  it('give their queue’s lease no second try once the next slot is due', async () => {
    const clock = new TestClock()
    const lost: string[] = []
    const ledger = new RunLedger(clock)
    const onLost = (ref: RunRef) => lost.push(ref.attemptId)
    const queue = new MemoryQueue({ clock, memory: ledger, leaseMs: 90_000, onLost })
    queue.start()
    let overlaps = 0
    const scheduler = schedulerOf({ clock, queue, ledger, onOverlap: () => overlaps++ })
    scheduler.start([scheduledCheck()], [], undefined)
    await clock.advance(60_000)
    const locations = new Set(['eu-west-1'] as const)
    const call = { keyId: 'k', agentId: 'a', locations, free: { network: 1 }, waitMs: 0 }
    const [run] = await queue.lease({ ...call, signal: new AbortController().signal })
    await clock.advance(92_000)
    expect(overlaps).toBeGreaterThan(0)
    expect(lost).toEqual([run?.ref.attemptId])
    await queue.stop()
  })
})
