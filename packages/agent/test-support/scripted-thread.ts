import type { ReportBody } from '@vedette/checks/run'
import { once } from 'node:events'
import { request } from 'node:http'
import { parentPort } from 'node:worker_threads'
import type { Job } from '@vedette/wire'
import { internalErrorReport } from '../src/delivery/report-text.ts'
import { serveJobs, type JobContext } from '../src/execution/serve-jobs.ts'

const passed = (context: JobContext): ReportBody => ({
  ...internalErrorReport('', ''),
  startedAt: context.clock.now(),
  stoppedAt: context.clock.now(),
  responseMs: 1,
  verdict: { outcome: 'pass', degraded: false, overMaxResponseTime: false, assertions: [], cause: '' },
  internalError: null,
})

/** A probe thread whose runs go as `definition.script` says; everything around the run is real. */
async function runScript(job: Job, context: JobContext): Promise<ReportBody> {
  const [word, argument = ''] = String(job.definition.script).split(' ')
  if (word === 'throw') throw new Error('a bug of ours')
  if (word === 'crash') process.exit(7)
  if (word === 'spin') for (;;);
  if (word === 'never') await new Promise(() => undefined)
  if (word === 'untilAborted') await once(context.signal, 'abort')
  // Ends when the address answers: a test decides when.
  if (word === 'until') await answerOf(argument)
  const body = passed(context)
  return word === 'fail' ? { ...body, verdict: { ...body.verdict, outcome: 'fail', cause: 'it failed' } } : body
}

async function answerOf(url: string): Promise<void> {
  const call = request(url).end()
  const [response] = await once(call, 'response')
  response.resume()
}

if (parentPort === null) throw new Error('started by tests as a thread')
serveJobs(parentPort, runScript)
