import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Reply, RunRef } from '../runs.ts'
import { TestClock } from '../../test-support/clock.ts'
import { someRef } from '../../test-support/runs.ts'
import { RunLedger } from './run-ledger.ts'

let clock: TestClock
let ledger: RunLedger

beforeEach(() => {
  clock = new TestClock()
  ledger = new RunLedger(clock)
})

const tick = { runParallel: false, isTick: true }
const parallelTick = { runParallel: true, isTick: true }

const aRun = (more?: Partial<RunRef>) => someRef(clock, more)

describe('an attempt', () => {
  it('begins once, while it is in flight and for two minutes after it is over', async () => {
    const [ref, other] = [aRun(), aRun()]
    expect([ledger.begin(ref, tick), ledger.begin(ref, tick)]).toEqual([true, false])
    ledger.end([ref.attemptId])
    expect([ledger.isOver(ref.attemptId), ledger.begin(ref, tick)]).toEqual([true, false])
    await clock.advance(2 * 60_000)
    ledger.end([other.attemptId])
    expect(ledger.begin(ref, tick)).toBe(true)
  })

  it('that was given up stays in flight until its loss is recorded, and is announced as over', () => {
    const ref = aRun()
    const over: string[] = []
    ledger.onOver((id) => over.push(id))
    ledger.begin(ref, tick)
    ledger.giveUp(ref.attemptId)
    expect([ledger.isOver(ref.attemptId), ledger.oldestTick(), over]).toEqual([true, ref.dueAt, [ref.attemptId]])
    ledger.end([ref.attemptId])
    expect([ledger.size, ledger.oldestTick()]).toEqual([0, Infinity])
  })

  it('holds up its whole check, or its location when the check runs in parallel', () => {
    const turn = aRun()
    const parallel = aRun()
    ledger.begin(turn, tick)
    ledger.begin(parallel, parallelTick)
    expect(ledger.overlapped(turn.checkId, 'us-east-1', false)).toEqual(new Set([turn.attemptId]))
    expect(ledger.overlapped(parallel.checkId, 'us-east-1', true)).toBeUndefined()
    expect(ledger.overlapped(parallel.checkId, 'eu-west-1', true)).toEqual(new Set([parallel.attemptId]))
  })

  it('hands its place over to a retry elsewhere, which holds no watermark back', () => {
    const first = aRun()
    const retry = aRun({ checkId: first.checkId, attempt: 1, location: 'us-east-1' })
    ledger.begin(first, parallelTick)
    ledger.handOver(first.attemptId, retry, true)
    expect(ledger.overlapped(first.checkId, 'eu-west-1', true)).toEqual(new Set([retry.attemptId]))
    expect([ledger.isOver(first.attemptId), ledger.oldestTick()]).toEqual([true, Infinity])
  })

  it('of a tick is named while it has no result, that of a one-shot is not', () => {
    const [early, late, retry] = [aRun(), aRun({ dueAt: clock.now() + 1 }), aRun({ attempt: 1 })]
    ledger.begin(early, tick)
    ledger.begin(late, tick)
    ledger.begin(retry, { runParallel: false, isTick: false })
    expect(ledger.ticksDueBy(clock.now())).toEqual([early])
    ledger.end([early.attemptId])
    expect(ledger.ticksDueBy(clock.now())).toEqual([])
  })

  it('of a forgotten check holds nothing up', () => {
    const [gone, kept] = [aRun(), aRun()]
    ledger.begin(gone, tick)
    ledger.begin(kept, tick)
    ledger.forgetCheck(gone.checkId)
    expect(ledger.overlapped(gone.checkId, 'eu-west-1', false)).toBeUndefined()
    expect(ledger.size).toBe(1)
  })
})

describe('the destination of an attempt', () => {
  const reply = (): Reply & { sent: unknown[] } => {
    const sent: unknown[] = []
    return { draft: { name: 'Draft', definition: {} }, send: (result) => void sent.push(result), sent }
  }

  it('is the database, also of one that is unknown', () => {
    const ref = aRun()
    ledger.begin(ref, tick)
    expect([ledger.destinationOf(ref.attemptId), ledger.destinationOf(randomUUID())]).toEqual(['stored', 'stored'])
  })

  it('is whoever waits for it, also after the schedule was forgotten', () => {
    const [dry, scheduled] = [aRun(), aRun()]
    const destination = reply()
    ledger.begin(dry, { runParallel: false, isTick: false, destination })
    ledger.begin(scheduled, tick)
    ledger.clear()
    expect(ledger.destinationOf(dry.attemptId)).toBe(destination)
    expect(ledger.size).toBe(1)
  })

  it('is nobody, and not the database, once the one who waited has gone', () => {
    const ref = aRun()
    const destination = reply()
    ledger.begin(ref, { runParallel: false, isTick: false, destination })
    ledger.end([ref.attemptId])
    const after = ledger.destinationOf(ref.attemptId)
    if (after === 'stored') throw new Error('A dry run is never stored.')
    after.send(undefined)
    expect([after.draft.definition, destination.sent]).toEqual([{}, []])
  })
})
