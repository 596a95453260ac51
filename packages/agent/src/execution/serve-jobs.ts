import { startTimes, type Contact, type ReportBody, type RunClock } from '@vedette/checks/run'
import type { MessagePort } from 'node:worker_threads'
import type { Clock, Job } from '@vedette/wire'
import { Claim } from './claim.ts'
import { honestReport } from './honest-report.ts'
import { lagMs, monitorLoop } from './loop-delay.ts'
import { finishedRun, internalErrorReport } from '../delivery/report-text.ts'
import { ReportsTogether } from './reports-together.ts'
import { sharedClock } from './shared-clock.ts'
import { StartLine } from './start-line.ts'
import type { FromThread, Submitted, ToThread, Unreached } from './thread-messages.ts'
import { utilizationMeter } from './utilization-meter.ts'

export interface JobContext {
  signal: AbortSignal
  clock: RunClock
  random(): number
  /** Hears of the connections to its target that the run tries. */
  tried?: (contact: Contact) => void
}

/** Runs one job to its end. A throw is a bug. */
export type RunJob = (job: Job, context: JobContext) => Promise<ReportBody>

/** A job in the line of its thread. */
interface LinedJob extends Submitted {
  claim: Claim
  clockOffsetMs: number
}

const vitalsEveryMs = 5000
/** Above this utilization the timings of a thread suffer, so jobs wait. The wait is not part of a measured time. */
const busyAbove = 0.7
/** With fewer jobs under way the next one always starts: the utilization comes from its own start. */
const alwaysStarted = 4
/** A run that follows all redirects tries fewer connections. */
const mostContacts = 50

/** The work of a probe thread: starts jobs from the port at their time, runs them side by side, answers with reports. */
export function serveJobs(port: MessagePort, runJob: RunJob, clock: Clock = sharedClock): void {
  const running = new Map<string, AbortController>()
  const tell = (message: FromThread) => port.postMessage(message)
  const reports = new ReportsTogether(clock, (together) => tell({ kind: 'reports', reports: together }))
  const utilization = utilizationMeter()
  const line = new StartLine<LinedJob>({
    clock,
    start: (lined) => void (lined.claim.start() && runOne(lined)),
    isBusy: () => running.size >= alwaysStarted && utilization() > busyAbove,
  })
  port.on('message', (message: ToThread) => {
    if (message.kind === 'cancel') running.get(message.attemptId)?.abort()
    else if (message.kind === 'hurry') reports.hurry()
    else line.add(linedJobs(message), message.clockOffsetMs)
  })

  const runOne = async ({ job, clockOffsetMs, mayWait }: LinedJob): Promise<void> => {
    const { attemptId, lease } = job
    const cancel = new AbortController()
    running.set(attemptId, cancel)
    const runClock = { now: () => clock.now() + clockOffsetMs, monotonic: () => performance.now() }
    const times = startTimes(runClock)
    const contacts: Contact[] = []
    const tried = (contact: Contact) => void (contacts.length < mostContacts && contacts.push(contact))
    const body = await runJob(job, { signal: cancel.signal, clock: runClock, random: Math.random, tried }).catch(
      (error: unknown) =>
        internalErrorReport('AGENT_ERROR', `The agent failed while it ran this check: ${String(error)}`, times()),
    )
    running.delete(attemptId)
    if (cancel.signal.aborted) return
    const honest = honestReport(body)
    const { report, urgent } = finishedRun({ attemptId, lease, clockOffsetMs }, honest)
    const unreached = unreachedBy(honest, contacts)
    reports.add({ attemptId, report, urgent, ...(unreached && { unreached }) }, mayWait && !urgent)
  }

  const delay = monitorLoop()
  delay.enable()
  setInterval(() => {
    tell({ kind: 'vitals', eventLoopLagMs: lagMs(delay) })
    delay.reset()
  }, vitalsEveryMs).unref()
  tell({ kind: 'ready' })
}

/** Network trouble that may lie on the way to the last machine that was tried. A name that has no address leads nowhere. */
function unreachedBy({ error, verdict }: ReportBody, contacts: readonly Contact[]): Unreached | undefined {
  const isUnreached = verdict.outcome === 'fail' && error?.network === true && error.phase !== 'dns'
  return isUnreached && contacts.length > 0 ? { contacts, endedAt: Date.now() } : undefined
}

const linedJobs = ({ jobs, claims, clockOffsetMs }: Extract<ToThread, { kind: 'run' }>): LinedJob[] =>
  jobs.map((submitted, index) => ({ ...submitted, clockOffsetMs, claim: new Claim(claims, index) }))
