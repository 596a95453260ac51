import type { ObservedError } from '@vedette/wire'
import { controlLookup, createResolver, type Resolve } from '@vedette/checks/net'
import { internalErrorReport } from '../delivery/report-text.ts'
import type { RunJob } from './serve-jobs.ts'

/** Short enough to end before the run is given up as overdue. */
const controlLimitMs = 3000

/** Errors that routers on the way send for a target, and the nearest one when this network leads nowhere. */
const unreachable = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL'])

/** Steps in which the first packet leaves for the target. */
const reaching = new Set(['tcp', 'ping', 'query'])

/** Time-outs and refusals are never doubted: what drops or refuses a connection may be the target. */
const isDoubtful = ({ phase, code }: ObservedError): boolean =>
  phase === 'dns' ? code !== 'DNS_INVALID_NAME' : reaching.has(phase) && unreachable.has(code)

/**
 * A failed look-up or an unreachable target is the target's trouble only when the control name can be looked up.
 * Without a control name nothing is asked.
 */
export function withDnsControl(runJob: RunJob, name: string | null, resolve: Resolve = createResolver()): RunJob {
  if (name === null) return runJob
  return async (job, context) => {
    const body = await runJob(job, context)
    const { error, startedAt, stoppedAt, timingUncertaintyMs } = body
    if (error === null || !isDoubtful(error)) return body
    if (await controlLookup(name, resolve, { signal: context.signal, timeoutMs: controlLimitMs })) return body
    const internalError = internalErrorReport(
      error.phase === 'dns' ? 'NO_DNS' : 'NO_NETWORK',
      `The agent could not look up ${name} either: ${error.text}`.slice(0, 2000),
    )
    return { ...internalError, startedAt, stoppedAt, timingUncertaintyMs }
  }
}
