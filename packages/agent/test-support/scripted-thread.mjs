import { once } from 'node:events'
import { request } from 'node:http'
import { parentPort } from 'node:worker_threads'
import { internalErrorReport } from '../dist/delivery/report-text.js'
import { serveJobs } from '../dist/execution/serve-jobs.js'

const passed = (context) => ({
  ...internalErrorReport('', ''),
  startedAt: context.clock.now(),
  stoppedAt: context.clock.now(),
  responseMs: 1,
  verdict: { outcome: 'pass', degraded: false, overMaxResponseTime: false, assertions: [], cause: '' },
  internalError: null,
})

/** A probe thread whose runs go as `definition.script` says; everything around the run is real. */
async function runScript(job, context) {
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

async function answerOf(url) {
  const call = request(url).end()
  const [response] = await once(call, 'response')
  response.resume()
}

if (parentPort === null) throw new Error('started by tests as a thread')
serveJobs(parentPort, runScript)
