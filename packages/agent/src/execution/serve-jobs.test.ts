import { once } from 'node:events'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ReportBody } from '@vedette/checks/run'
import { givenManualClock } from '../../test-support/clocks.ts'
import { scriptedJob } from '../../test-support/jobs.ts'
import { internalErrorReport } from '../delivery/report-text.ts'
import { Claim, claimsFor } from './claim.ts'
import { serveJobs } from './serve-jobs.ts'
import type { FromThread, Submitted, ToThread } from './thread-messages.ts'

let clock: ReturnType<typeof givenManualClock>
let thread: MessagePort
let ours: MessagePort
/** Attempts of the reports in each message. */
let heard: string[][]

/** A run that ends at once, as the script of its job says. */
function runAtOnce({ definition }: { definition: Record<string, unknown> }): Promise<ReportBody> {
  const outcome = definition['script'] === 'fail' ? 'fail' : 'pass'
  const body = internalErrorReport('', '')
  return Promise.resolve({ ...body, internalError: null, verdict: { ...body.verdict, outcome } })
}

beforeEach(() => {
  clock = givenManualClock()
  const channel = new MessageChannel()
  ;[thread, ours] = [channel.port1, channel.port2]
  heard = []
  ours.on('message', (message: FromThread) => {
    if (message.kind === 'reports') heard.push(message.reports.map(({ attemptId }) => attemptId))
  })
  serveJobs(thread, runAtOnce, clock)
})
afterEach(() => {
  thread.close()
  ours.close()
})

/** Resolves when the thread has dealt with everything that was sent before, and its answers have arrived. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}

async function send(message: ToThread): Promise<void> {
  ours.postMessage(message)
  await once(thread, 'message')
  await settled()
}

/** A job due so many milliseconds from now. */
const jobIn = (ms: number, script = 'pass', mayWait = false): Submitted => ({
  job: scriptedJob(script, { dueAt: clock.now() + ms }),
  mayWait,
})

async function give(jobs: readonly Submitted[]) {
  const claims = claimsFor(jobs.length)
  await send({ kind: 'run', jobs, claims, clockOffsetMs: 0 })
  return { ids: jobs.map(({ job }) => job.attemptId), claims: jobs.map((_, index) => new Claim(claims, index)) }
}

describe('a probe thread', () => {
  it('runs each job of a message at its time', async () => {
    const { ids, claims } = await give([jobIn(200), jobIn(0), jobIn(400)])
    expect(heard).toEqual([[ids[1]]])
    expect(claims.map(({ isWaiting }) => isWaiting)).toEqual([true, false, true])
    clock.advance(200)
    await settled()
    expect(heard.slice(1)).toEqual([[ids[0]]])
    clock.advance(200)
    await settled()
    expect(heard.slice(2)).toEqual([[ids[2]]])
  })

  it('does not run a job that was taken back', async () => {
    const { ids, claims } = await give([jobIn(200), jobIn(200)])
    expect(claims[0]?.takeBack()).toBe(true)
    clock.advance(500)
    await settled()
    expect(heard).toEqual([[ids[1]]])
  })

  it('lets the report of a run that passed wait when it may, and never that of a failure', async () => {
    await give([jobIn(0, 'pass', true)])
    expect(heard).toEqual([])
    const { ids } = await give([jobIn(20, 'fail', true)])
    clock.advance(20)
    await settled()
    expect(heard).toEqual([[expect.any(String), ids[0]]])
  })

  it('lets no report wait while the agent stops', async () => {
    const { ids } = await give([jobIn(0, 'pass', true)])
    await send({ kind: 'hurry' })
    expect(heard).toEqual([ids])
  })
})
