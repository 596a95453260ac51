import { startTimes, type ReportBody, type RunClock } from '@vedette/checks/run'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { MessagePort } from 'node:worker_threads'
import type { Job } from '@vedette/wire'
import { honestReport } from './honest-report.ts'
import { finishedRun, internalErrorReport } from '../delivery/report-text.ts'
import type { FromThread, ThreadReport, ToThread } from './thread-messages.ts'

export interface JobContext {
  signal: AbortSignal
  clock: RunClock
  random(): number
}

/** Runs one job to its end. A throw is a bug. */
export type RunJob = (job: Job, context: JobContext) => Promise<ReportBody>

const vitalsEveryMs = 5000
/** Reports that may wait are sent together after this time, or when there are so many. */
const togetherMs = 1000
const mostTogether = 16

/** The work of a probe thread: takes jobs from the port, runs them side by side, answers with reports. */
export function serveJobs(port: MessagePort, runJob: RunJob): void {
  const running = new Map<string, AbortController>()
  const tell = (message: FromThread) => port.postMessage(message)
  port.on('message', (message: ToThread) => {
    if (message.kind === 'cancel') running.get(message.attemptId)?.abort()
    else if (message.kind === 'hurry') reports.hurry()
    else void runOne(message)
  })
  const reports = reportsTogether((together) => tell({ kind: 'reports', reports: together }))

  const runOne = async ({ job, clockOffsetMs, mayWait }: Extract<ToThread, { kind: 'run' }>): Promise<void> => {
    const { attemptId, lease } = job
    const cancel = new AbortController()
    running.set(attemptId, cancel)
    const clock = { now: () => Date.now() + clockOffsetMs, monotonic: () => performance.now() }
    const times = startTimes(clock)
    const body = await runJob(job, { signal: cancel.signal, clock, random: Math.random }).catch((error: unknown) =>
      internalErrorReport('AGENT_ERROR', `The agent failed while it ran this check: ${String(error)}`, times()),
    )
    running.delete(attemptId)
    if (cancel.signal.aborted) return
    const { report, urgent } = finishedRun({ attemptId, lease, clockOffsetMs }, honestReport(body))
    reports.add({ attemptId, report, urgent }, mayWait && !urgent)
  }

  const delay = monitorEventLoopDelay({ resolution: 50 })
  delay.enable()
  setInterval(() => {
    tell({ kind: 'vitals', eventLoopLagMs: lagMs(delay) })
    delay.reset()
  }, vitalsEveryMs).unref()
  tell({ kind: 'ready' })
}

/** Collects reports that may wait, and sends them with the first one that may not. */
function reportsTogether(send: (reports: readonly ThreadReport[]) => void) {
  let waiting: ThreadReport[] = []
  let timer: NodeJS.Timeout | undefined
  let isInHurry = false
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (waiting.length > 0) send(waiting)
    waiting = []
  }
  return {
    add(report: ThreadReport, mayWait: boolean): void {
      waiting.push(report)
      if (!mayWait || isInHurry || waiting.length >= mostTogether) flush()
      else timer ??= setTimeout(flush, togetherMs)
    },
    hurry(): void {
      isInHurry = true
      flush()
    },
  }
}

/** Longest stall since the last reset. The histogram includes its own sampling interval, which is subtracted. */
export const lagMs = (delay: { max: number }): number => Math.max(0, Math.round(delay.max / 1e6 - 50))
