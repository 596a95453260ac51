import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { systemClock, type Job } from '@vedette/wire'
import type { Definition, Observation, Run } from './core/check-type.ts'
import { AssertionPool, createJobRunner } from './run.ts'
import { givenJob } from '../test-support/jobs.ts'

const hour = 3_600_000
const pool = new AssertionPool({ clock: systemClock })
const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})
afterAll(() => pool.stop())

/** A clock whose wall time a test sets, as an operator or a time service would. */
function givenClock() {
  let leapMs = 0
  return {
    clock: { now: () => Date.now() + leapMs, monotonic: () => performance.now() },
    leap: (ms: number) => (leapMs += ms),
  }
}

async function givenTarget(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function runReport(job: Job, clock: ReturnType<typeof givenClock>['clock'], run?: Run<Definition, unknown>) {
  const runner = createJobRunner({ pool, ...(run && { loadRun: () => Promise.resolve(run) }) })
  return runner(job, { signal: new AbortController().signal, clock, random: Math.random })
}

describe.each([
  ['back', -hour],
  ['forward', hour],
])('a run in the middle of which the wall clock is set %s by an hour', (_, leapMs) => {
  it('passes, and ends as long after its start as it took', async () => {
    const { clock, leap } = givenClock()
    const url = await givenTarget((__, response) => {
      leap(leapMs)
      setTimeout(() => response.end('ok'), 50)
    })
    const began = Date.now()
    const report = await runReport(givenJob('API', { request: { url } }), clock)
    expect(report.verdict.outcome).toBe('pass')
    expect(report.startedAt).toBeGreaterThanOrEqual(began)
    const tookMs = (report.stoppedAt ?? 0) - (report.startedAt ?? 0)
    expect(tookMs).toBeGreaterThan(45)
    expect(tookMs).toBeLessThan(10_000)
    expect(Math.abs(tookMs - (report.responseMs ?? 0))).toBeLessThan(1000)
  })

  it('fails by its time limit and not by the clock', async () => {
    const { clock, leap } = givenClock()
    const url = await givenTarget(() => void leap(leapMs))
    const began = performance.now()
    const report = await runReport(givenJob('API', { request: { url } }, { timeoutMs: 300 }), clock)
    expect(report.error).toMatchObject({ phase: 'firstByte', code: 'ETIMEDOUT' })
    expect(performance.now() - began).toBeLessThan(5000)
    expect((report.stoppedAt ?? 0) - (report.startedAt ?? 0)).toBeGreaterThan(250)
  })

  it('is still repeated when a stall made it slow, within the same limit', async () => {
    const { clock, leap } = givenClock()
    let runs = 0
    const observed = (total: number, timingUncertaintyMs: number): Observation<unknown> => ({
      startedAt: clock.now(),
      stoppedAt: clock.now() + total,
      timingUncertaintyMs,
      evidence: {
        request: { method: 'GET', url: 'http://x/', headers: {}, params: {}, data: '' },
        response: { status: 200, statusText: '', headers: {}, body: '', truncated: false, timingPhases: { total } },
      },
    })
    const run: Run<Definition, unknown> = () => {
      runs += 1
      leap(leapMs)
      return Promise.resolve(runs === 1 ? observed(500, 90) : observed(20, 0))
    }
    const job = givenJob('API', { request: { url: 'http://x/' }, degradedResponseTime: 100 })
    const report = await runReport(job, clock, run)
    expect(runs).toBe(2)
    expect(report.verdict).toMatchObject({ outcome: 'pass', degraded: false })
  })
})

it('a run that ignores its deadline is given up by the monotonic clock and stamped with the time it took', async () => {
  const { clock, leap } = givenClock()
  const stuck: Run<Definition, unknown> = () => {
    leap(-hour)
    return new Promise(() => undefined)
  }
  const report = await runReport(givenJob('API', { request: { url: 'http://x/' } }, { timeoutMs: 50 }), clock, stuck)
  expect(report.internalError?.text).toContain('did not end by its deadline')
  expect((report.stoppedAt ?? 0) - (report.startedAt ?? 0)).toBeGreaterThan(1000)
})
