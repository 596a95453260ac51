import { pino } from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { systemClock, type Clock, type Job } from '@vedette/wire'
import type { FinishedRun } from '../delivery/report-text.ts'
import { scriptedJob } from '../../test-support/jobs.ts'
import { ProbePool, type ProbePoolOptions } from './probe-pool.ts'

const scripted = new URL('../../test-support/scripted-thread.mjs', import.meta.url)
const closing: (() => Promise<unknown> | void)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

interface Ended {
  job: Job
  report: { verdict: { outcome: string }; [key: string]: unknown } | undefined
}

function givenPool(changes: Partial<ProbePoolOptions> = {}) {
  const ended: Ended[] = []
  const crashes: string[] = []
  let watchers: (() => void)[] = []
  const pool = new ProbePool({
    entry: scripted,
    controlName: null,
    threads: 1,
    clock: systemClock,
    random: () => 0,
    clockOffset: () => 0,
    log: pino({ level: 'silent' }),
    onEnd(job: Job, finished: FinishedRun | undefined) {
      ended.push({ job, report: finished && (JSON.parse(finished.report) as Ended['report']) })
      for (const resume of watchers.splice(0)) resume()
    },
    onCrash: (code) => crashes.push(code),
    isCrowded: () => false,
    ...changes,
  })
  pool.start()
  closing.push(() => pool.stop())
  const until = async (condition: () => boolean) => {
    while (!condition()) await new Promise<void>((resolve) => (watchers = [...watchers, resolve]))
  }
  const endOf = async (job: Job) => {
    const find = () => ended.find((each) => each.job.attemptId === job.attemptId)
    await until(() => find() !== undefined)
    return find()?.report
  }
  return { pool, ended, crashes, endOf }
}

/** Reports of each job whether its report might wait. */
const tellingThread = `
  import { parentPort } from 'node:worker_threads'
  parentPort.postMessage({ kind: 'ready' })
  parentPort.on('message', ({ jobs }) => {
    const reports = jobs.map(({ job: { attemptId, definition }, mayWait }) => {
      return { attemptId, report: JSON.stringify({ mayWait }), urgent: definition.script === 'fail' }
    })
    parentPort.postMessage({ kind: 'reports', reports })
  })`

const whole = (count: number, each: () => Job) => Array.from({ length: count }, each)

/** A job that is due so many milliseconds from now. */
const jobIn = (ms: number) => scriptedJob('pass', { dueAt: Date.now() + ms })

async function settled(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5))
}

describe('a pool of probe threads', () => {
  test('starts a burst of jobs bit by bit, so that they do not spoil the timings of each other', async () => {
    const { pool, ended } = givenPool()
    await settled(() => pool.ready)
    pool.submit(whole(200, () => scriptedJob('untilAborted')))
    expect(pool.running).toBeLessThanOrEqual(10)
    expect(pool.jobs()).toHaveLength(200)
    await settled(() => pool.running === 200)
    expect(ended).toEqual([])
  })

  test('asks for no more while many jobs wait for a thread', async () => {
    const { pool } = givenPool()
    await settled(() => pool.ready)
    pool.submit(whole(150, () => scriptedJob('untilAborted')))
    let available = false
    const asking = pool.available(new AbortController().signal).then(() => (available = true))
    await Promise.resolve()
    expect(available).toBe(false)
    await asking
    expect(pool.jobs().length - pool.running).toBeLessThan(100)
  })

  test('ends jobs that no thread takes as not known, and holds them no longer', async () => {
    const broken = new URL('data:text/javascript,process.exit(0)')
    const { pool, endOf } = givenPool({ entry: broken, graceMs: 20, waitLimitMs: 100 })
    const job = scriptedJob('pass')
    pool.submit([job])
    expect(pool.jobs()).toEqual([job])
    expect(await endOf(job)).toMatchObject({
      internalError: { code: 'AGENT_BUSY' },
      verdict: { outcome: 'unknown' },
      startedAt: null,
    })
    expect(pool.jobs()).toEqual([])
  })

  test('ends the jobs of a thread that died as not known, and runs those that waited on the next one', async () => {
    const { pool, endOf } = givenPool()
    await settled(() => pool.ready)
    const [lost, crashing, waiting] = [
      scriptedJob('untilAborted'),
      scriptedJob('crash'),
      whole(30, () => scriptedJob('pass')),
    ]
    pool.submit([lost])
    await settled(() => pool.running === 1)
    pool.submit([crashing, ...waiting])
    expect(await endOf(crashing)).toMatchObject({ internalError: { code: 'AGENT_CRASH' } })
    expect(await endOf(lost)).toMatchObject({ internalError: { code: 'AGENT_CRASH' }, verdict: { outcome: 'unknown' } })
    const last = await Promise.all(waiting.slice(7).map((job) => endOf(job)))
    expect(new Set(last.map((report) => report?.verdict.outcome))).toEqual(new Set(['pass']))
    expect(pool.jobs()).toEqual([])
  })

  test('runs jobs elsewhere that were given to a thread which stands still', async () => {
    const { pool, endOf } = givenPool({ threads: 2, graceMs: 100 })
    await settled(() => pool.ready)
    const spinning = scriptedJob('spin')
    pool.submit([spinning])
    await settled(() => pool.running === 1)
    const others = whole(20, () => scriptedJob('pass'))
    for (const job of others) pool.submit([job])
    const ended = await Promise.all(others.map((job) => endOf(job)))
    expect(new Set(ended.map((report) => report?.verdict.outcome))).toEqual(new Set(['pass']))
    expect(pool.jobs()).toEqual([spinning])
  })

  test('answers the jobs that have not started when it is to take them back, and starts none of them', async () => {
    const { pool, ended } = givenPool()
    await settled(() => pool.ready)
    const [running, later] = [scriptedJob('untilAborted'), whole(3, () => jobIn(300))]
    pool.submit([running, ...later])
    await settled(() => pool.running === 1)
    expect(pool.takeUnstarted()).toEqual(later)
    expect(pool.jobs()).toEqual([running])
    const marker = jobIn(400)
    pool.submit([marker])
    await settled(() => pool.running === 1 && pool.jobs().length === 1)
    expect(ended.map(({ job, report }) => [job.attemptId, report === undefined])).toEqual([
      ...later.map(({ attemptId }) => [attemptId, true]),
      [marker.attemptId, false],
    ])
  })

  test('does not start a job that is cancelled before its time', async () => {
    const { pool, ended, endOf } = givenPool()
    await settled(() => pool.ready)
    const [cancelled, other] = [jobIn(200), jobIn(250)]
    pool.submit([cancelled, other])
    pool.cancel(cancelled.attemptId)
    expect(pool.jobs()).toEqual([other])
    await endOf(other)
    expect(ended.map(({ job, report }) => [job.attemptId, report === undefined])).toEqual([
      [cancelled.attemptId, true],
      [other.attemptId, false],
    ])
  })

  test('lets only the report of a tick wait, and not one of a check that was in trouble, nor while it is crowded', async () => {
    const telling = new URL(`data:text/javascript,${encodeURIComponent(tellingThread)}`)
    let isCrowded = false
    const { pool, endOf } = givenPool({ entry: telling, isCrowded: () => isCrowded })
    await settled(() => pool.ready)
    const mayWait = async (script: string, isAhead: boolean) => {
      const job = scriptedJob(script, { checkId, dueAt: Date.now() + (isAhead ? 400 : 0) })
      pool.submit([job])
      return (await endOf(job))?.['mayWait']
    }
    const { checkId } = scriptedJob('pass')
    expect(await mayWait('pass', false)).toBe(false)
    expect(await mayWait('pass', true)).toBe(true)
    await mayWait('fail', true)
    expect(await mayWait('pass', true)).toBe(false)
    expect(await mayWait('pass', true)).toBe(true)
    isCrowded = true
    expect(await mayWait('pass', true)).toBe(false)
  })

  test('replaces a thread that never gets ready', async () => {
    const endless = new URL('data:text/javascript,for(;;);')
    const { crashes } = givenPool({ entry: endless, graceMs: 20, startLimitMs: 100 })
    await settled(() => crashes.length >= 2)
    expect(crashes).toContain('AGENT_CRASH')
  })

  test.each([
    ['back', -3_600_000],
    ['forward', 3_600_000],
  ])('knows how long a job runs when the wall clock is set %s by an hour', async (_, leapMs) => {
    let leapt = 0
    const clock: Clock = { ...systemClock, now: () => Date.now() + leapt }
    const { pool, endOf, ended } = givenPool({ clock, graceMs: 50 })
    await settled(() => pool.ready)
    const [hung, running] = [scriptedJob('never', { timeoutMs: 100 }), scriptedJob('untilAborted')]
    pool.submit([hung])
    pool.submit([running])
    leapt = leapMs
    const report = await endOf(hung)
    expect(report).toMatchObject({ internalError: { code: 'AGENT_STALLED' } })
    const tookMs = Number(report?.stoppedAt) - Number(report?.startedAt)
    expect(tookMs).toBeGreaterThan(100)
    expect(tookMs).toBeLessThan(10_000)
    expect(ended).toHaveLength(1)
  })
})
