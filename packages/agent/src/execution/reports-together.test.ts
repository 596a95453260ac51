import { describe, expect, it } from 'vitest'
import { givenManualClock } from '../../test-support/clocks.ts'
import { ReportsTogether } from './reports-together.ts'

function givenReports() {
  const clock = givenManualClock()
  const sent: string[][] = []
  const reports = new ReportsTogether(clock, (together) => sent.push(together.map(({ attemptId }) => attemptId)))
  const add = (attemptId: string, mayWait: boolean) =>
    reports.add({ attemptId, report: '{}', urgent: !mayWait }, mayWait)
  return { reports, clock, sent, add }
}

describe('reports of a probe thread', () => {
  it('that may wait are sent together at the next full second of the clock', () => {
    const { clock, sent, add } = givenReports()
    clock.advance(300)
    add('one', true)
    clock.advance(600)
    add('other', true)
    expect(sent).toEqual([])
    clock.advance(100)
    expect(sent).toEqual([['one', 'other']])
    expect(clock.timers()).toBe(0)
  })

  it('that may not wait take those along that do', () => {
    const { clock, sent, add } = givenReports()
    add('waits', true)
    add('urgent', false)
    expect(sent).toEqual([['waits', 'urgent']])
    clock.advance(1000)
    expect(sent).toHaveLength(1)
  })

  it('wait no longer once there are forty', () => {
    const { sent, add } = givenReports()
    for (let n = 0; n < 40; n++) add(`${n}`, true)
    expect(sent.map(({ length }) => length)).toEqual([40])
  })

  it('do not wait while the agent stops', () => {
    const { reports, sent, add } = givenReports()
    add('waits', true)
    reports.hurry()
    add('later', true)
    expect(sent).toEqual([['waits'], ['later']])
  })
})
