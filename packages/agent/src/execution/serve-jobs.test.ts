import { once } from 'node:events'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ReportBody } from '@vedette/checks/run'
import { scriptedJob } from '../../test-support/jobs.ts'
import { internalErrorReport } from '../delivery/report-text.ts'
import { serveJobs } from './serve-jobs.ts'
import type { FromThread, ToThread } from './thread-messages.ts'

let thread: MessagePort
let ours: MessagePort
let heard: string[][]

/** A run that ends at once, as the script of its job says. */
function runAtOnce({ definition }: { definition: Record<string, unknown> }): Promise<ReportBody> {
  const outcome = definition['script'] === 'fail' ? 'fail' : 'pass'
  const body = internalErrorReport('', '')
  return Promise.resolve({ ...body, internalError: null, verdict: { ...body.verdict, outcome } })
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const channel = new MessageChannel()
  ;[thread, ours] = [channel.port1, channel.port2]
  heard = []
  ours.on('message', (message: FromThread) => {
    if (message.kind === 'reports') heard.push(message.reports.map(({ attemptId }) => attemptId))
  })
  serveJobs(thread, runAtOnce)
})
afterEach(() => {
  thread.close()
  ours.close()
  vi.useRealTimers()
})

/** Resolves when the thread has dealt with everything that was sent before, and its answers have arrived. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}

async function run(script: string, mayWait: boolean): Promise<string> {
  const job = scriptedJob(script)
  const message: ToThread = { kind: 'run', job, clockOffsetMs: 0, mayWait }
  ours.postMessage(message)
  await once(thread, 'message')
  await settled()
  return job.attemptId
}

describe('reports of a probe thread', () => {
  it('that may wait come together within a second', async () => {
    const ids = [await run('pass', true), await run('pass', true)]
    expect(heard).toEqual([])
    vi.advanceTimersByTime(1000)
    await settled()
    expect(heard).toEqual([ids])
  })

  it('take those along that wait', async () => {
    const ids = [await run('pass', true), await run('pass', false)]
    expect(heard).toEqual([ids])
  })

  it('of a failure wait for nothing', async () => {
    const id = await run('fail', true)
    expect(heard).toEqual([[id]])
  })

  it('wait no longer once there are sixteen', async () => {
    for (let n = 0; n < 16; n++) await run('pass', true)
    expect(heard.map(({ length }) => length)).toEqual([16])
  })

  it('do not wait while the agent stops', async () => {
    const waiting = await run('pass', true)
    ours.postMessage({ kind: 'hurry' } satisfies ToThread)
    await once(thread, 'message')
    await settled()
    const later = await run('pass', true)
    expect(heard).toEqual([[waiting], [later]])
  })
})
