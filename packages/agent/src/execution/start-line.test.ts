import { describe, expect, it } from 'vitest'
import type { Job } from '@vedette/wire'
import { givenManualClock } from '../../test-support/clocks.ts'
import { scriptedJob } from '../../test-support/jobs.ts'
import { StartLine } from './start-line.ts'

/** A line on a clock that moves only by calls. The wall time is behind the server's by `offsetMs`. */
function givenLine(offsetMs = 0) {
  const clock = givenManualClock()
  let isBusy = false
  const started: [name: string, at: number][] = []
  const line = new StartLine<{ job: Job }>({
    clock,
    start: ({ job }) => started.push([job.checkName, clock.now()]),
    isBusy: () => isBusy,
  })
  const itemIn = (ms: number) => ({
    job: scriptedJob('pass', { checkName: `in ${ms}`, dueAt: clock.now() + offsetMs + ms }),
  })
  const add = (dueInMs: readonly number[]) => line.add(dueInMs.map(itemIn), offsetMs)
  return { ...clock, started, add, setBusy: (busy: boolean) => (isBusy = busy) }
}

const times = (started: readonly [string, number][]) => started.map(([, at]) => at)

describe('a line of jobs that were handed out ahead', () => {
  it('starts each at its time by the clock of the server, and one that is due at once', () => {
    const { started, advance, add } = givenLine(40_000)
    add([300, -5000, 100])
    expect(started).toEqual([['in -5000', 1000]])
    advance(500)
    expect(started.slice(1)).toEqual([
      ['in 100', 1100],
      ['in 300', 1300],
    ])
  })

  it('starts neighbours together, none before it is due or more than 25 ms after', () => {
    const { started, advance, add, timers } = givenLine()
    add([100, 110, 125, 130])
    expect(timers()).toBe(1)
    advance(500)
    expect(times(started)).toEqual([1125, 1125, 1125, 1130])
  })

  it('starts at most eight together, and the next ones 12 ms later', () => {
    const { started, advance, add } = givenLine()
    add(Array.from({ length: 20 }, () => 0))
    advance(500)
    const eight = (at: number) => Array.from({ length: 8 }, () => at)
    expect(times(started)).toEqual([...eight(1000), ...eight(1012), ...eight(1024).slice(0, 4)])
  })

  it('waits while one more start would spoil the timings of what runs', () => {
    const { started, advance, add, setBusy } = givenLine()
    setBusy(true)
    add([0, 10])
    advance(3000)
    expect(started).toEqual([])
    setBusy(false)
    advance(6)
    expect(started.map(([name]) => name)).toEqual(['in 0', 'in 10'])
  })

  it('does not start a job that is a minute late, as after the process was stopped', () => {
    const { started, advance, add, setBusy } = givenLine()
    setBusy(true)
    add([100, 400])
    advance(60_200)
    setBusy(false)
    advance(10)
    expect(started.map(([name]) => name)).toEqual(['in 400'])
  })

  it('lets jobs that come later start between those that wait', () => {
    const { started, advance, add } = givenLine()
    add([400])
    add([100])
    advance(500)
    expect(times(started)).toEqual([1100, 1400])
  })

  it('lets no job wait for longer than a second, however far the clocks are apart', () => {
    const { started, advance, add } = givenLine()
    add([3_600_000])
    advance(1000)
    expect(started).toHaveLength(1)
  })
})
