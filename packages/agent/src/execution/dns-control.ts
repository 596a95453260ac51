import { controlLookup, createResolver, type Resolve } from '@vedette/checks/net'
import { internalErrorReport } from '../delivery/report-text.ts'
import type { RunJob } from './serve-jobs.ts'

/** Short enough to end before the run is given up as overdue. */
const controlLimitMs = 3000

/**
 * A failed look-up is the target's trouble only when the control name can be looked up. Without a control name nothing
 * is asked.
 */
export function withDnsControl(runJob: RunJob, name: string | null, resolve: Resolve = createResolver()): RunJob {
  if (name === null) return runJob
  return async (job, context) => {
    const body = await runJob(job, context)
    const { error, startedAt, stoppedAt, timingUncertaintyMs } = body
    if (error?.phase !== 'dns' || error.code === 'DNS_INVALID_NAME') return body
    if (await controlLookup(name, resolve, { signal: context.signal, timeoutMs: controlLimitMs })) return body
    const internalError = internalErrorReport(
      'NO_DNS',
      `The agent could not look up ${name} either: ${error.text}`.slice(0, 2000),
    )
    return { ...internalError, startedAt, stoppedAt, timingUncertaintyMs }
  }
}
