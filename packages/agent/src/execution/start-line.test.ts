import { describe, expect, it } from 'vitest'
import { systemClock, type CancelTimer, type Clock, type Job } from '@vedette/wire'
import { scriptedJob } from '../../test-support/jobs.ts'
import { StartLine } from './start-line.ts'

/** A line on a clock that moves only by calls. The wall time is behind the server's by `offsetMs`. */
function givenLine(offsetMs = 0) {
  let now = 1000
  let timers: { at: number; call: () => void }[] = []
  const clock: Clock = {
    ...systemClock,
    now: () => now,
    monotonic: () => now,
    after(delayMs, call): CancelTimer {
      const timer = { at: now + delayMs, call }
      timers.push(timer)
      return () => (timers = timers.filter((each) => each !== timer))
    },
  }
  const started: [name: string, at: number][] = []
  const [ended, cancelled, ahead]: [Job[], string[], string[]] = [[], [], []]
  const line = new StartLine({
    clock,
    clockOffset: () => offsetMs,
    execution: {
      submit({ checkName }, isAhead = false) {
        started.push([checkName, now])
        if (isAhead) ahead.push(checkName)
      },
      cancel: (attemptId) => void cancelled.push(attemptId),
      takeUnstarted: () => [],
      jobs: () => [],
    },
    onEnd: (job) => ended.push(job),
  })
  const advance = (ms: number) => {
    const end = now + ms
    for (;;) {
      const next = timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0]
      if (next === undefined) break
      timers = timers.filter((each) => each !== next)
      now = Math.max(now, next.at)
      next.call()
    }
    now = end
  }
  const jobIn = (ms: number, checkName = `in ${ms}`) => scriptedJob('pass', { checkName, dueAt: now + offsetMs + ms })
  return { line, started, ended, cancelled, ahead, advance, jobIn, timers: () => timers.length }
}

describe('a line of jobs that were handed out ahead', () => {
  it('starts each at its time by the clock of the server, and one that is due at once', () => {
    const { line, started, ahead, advance, jobIn } = givenLine(40_000)
    line.submit([jobIn(300), jobIn(-5000), jobIn(100)])
    expect(started).toEqual([['in -5000', 1000]])
    advance(500)
    expect(started.slice(1)).toEqual([
      ['in 100', 1100],
      ['in 300', 1300],
    ])
    expect(ahead).toEqual(['in 100', 'in 300'])
    expect(line.jobs()).toEqual([])
  })

  it('starts neighbours together, none before it is due or more than 25 ms after', () => {
    const { line, started, advance, jobIn, timers } = givenLine()
    line.submit([jobIn(100), jobIn(110), jobIn(125), jobIn(130)])
    expect(timers()).toBe(1)
    advance(500)
    expect(started.map(([, at]) => at)).toEqual([1125, 1125, 1125, 1130])
  })

  it('starts at most eight together', () => {
    const { line, started, advance, jobIn } = givenLine()
    line.submit(Array.from({ length: 20 }, (_, n) => jobIn(100 + n)))
    advance(500)
    expect(started.map(([, at]) => at)).toEqual([
      ...Array.from({ length: 8 }, () => 1107),
      ...Array.from({ length: 8 }, () => 1115),
      ...Array.from({ length: 4 }, () => 1119),
    ])
  })

  it('lets jobs that come later start between those that wait', () => {
    const { line, started, advance, jobIn } = givenLine()
    line.submit([jobIn(400)])
    line.submit([jobIn(100)])
    advance(500)
    expect(started.map(([, at]) => at)).toEqual([1100, 1400])
  })

  it('lets no job wait for longer than a second, however far the clocks are apart', () => {
    const { line, started, advance, jobIn } = givenLine()
    line.submit([jobIn(3_600_000)])
    advance(1000)
    expect(started).toHaveLength(1)
  })

  it('starts none that is cancelled or handed back', () => {
    const { line, started, ended, cancelled, advance, jobIn, timers } = givenLine()
    const [one, other, third] = [jobIn(100), jobIn(200), jobIn(300)]
    line.submit([one, other, third])
    line.cancel(other.attemptId)
    advance(150)
    line.cancel(one.attemptId)
    expect(cancelled).toEqual([one.attemptId])
    expect(line.jobs()).toEqual([third])
    expect(line.takeUnstarted()).toEqual([third])
    expect(timers()).toBe(0)
    advance(500)
    expect(started.map(([name]) => name)).toEqual(['in 100'])
    expect(ended).toEqual([other, third])
  })
})
