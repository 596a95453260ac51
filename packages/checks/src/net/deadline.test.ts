import { describe, expect, it } from 'vitest'
import { startDeadline } from './deadline.ts'
import { RunCancelled, TargetError } from './target-error.ts'

const endless = (stopped: string[] = []) => ({
  start: () => undefined,
  stop: () => void stopped.push('stopped'),
  timedOut: () => new TargetError('tcp', 'ETIMEDOUT', 'too late'),
})

describe('the deadline of an attempt', () => {
  it('stops whatever step is under way, and every later one at once', async () => {
    const stopped: string[] = []
    const deadline = startDeadline(20)
    await expect(deadline.during(endless(stopped))).rejects.toThrow('too late')
    await expect(deadline.during(endless(stopped))).rejects.toThrow('too late')
    expect(stopped).toEqual(['stopped', 'stopped'])
    expect(deadline.remainingMs()).toBe(0)
  })

  it('is one for all steps: the second has what the first left', async () => {
    const deadline = startDeadline(60_000)
    await deadline.during<void>({ ...endless(), start: (succeed) => succeed() })
    expect(deadline.remainingMs()).toBeLessThan(60_000)
    deadline.close()
  })

  it('of a cancelled run ends as cancelled, not as trouble of the target', async () => {
    const controller = new AbortController()
    const deadline = startDeadline(60_000, controller.signal)
    const step = deadline.during(endless())
    controller.abort()
    await expect(step).rejects.toBeInstanceOf(RunCancelled)
    await expect(deadline.during(endless())).rejects.toBeInstanceOf(RunCancelled)
    deadline.close()
    await expect(startDeadline(1000, controller.signal).during(endless())).rejects.toBeInstanceOf(RunCancelled)
  })

  it('without any time left starts nothing', async () => {
    let started = false
    const deadline = startDeadline(0)
    const step = { ...endless(), start: () => void (started = true) }
    await expect(deadline.during(step)).rejects.toThrow('too late')
    expect(started).toBe(false)
  })
})
