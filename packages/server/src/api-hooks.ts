import type { ApiHooks } from './http/deps.ts'
import type { LiveHub } from './live/hub.ts'
import type { IncomingResult } from './runs.ts'
import { toResult } from './resources/check-results/index.ts'
import type { Dispatch } from './scheduling/dispatch.ts'
import type { Database } from './db/database.ts'
import { readLocationSlugs } from './locations/location-param.ts'
import { accountOfCheck } from './live/store.ts'

interface Options {
  db: Database
  dispatch: Dispatch
  hub: LiveHub
}

/** What follows when the API has written something: the schedule learns of it, open pages too. */
export function apiHooks({ db, dispatch, hub }: Options): ApiHooks {
  return {
    async checkChanged(checkId, { change, runNow }) {
      await dispatch.checkChanged(checkId)
      if (runNow) await dispatch.requestRun(checkId, 'SCHEDULE_NOW')
      const accountId = await accountOfCheck(db, checkId)
      if (accountId !== undefined) hub.publish(accountId, { kind: 'check', checkId, change })
    },
    checksChanged: (checkIds) => dispatch.checksChanged(checkIds),
    variablesChanged: (accountId) => dispatch.agents.jobs.variables.forget(accountId),
    runNow: (accountId, checkId) => dispatch.requestRun(checkId, 'SCHEDULE_NOW', accountId),
    async dryRun(dryRun) {
      const result = await dispatch.dryRun(dryRun)
      if (result === undefined) return undefined
      const location = (await readLocationSlugs(db.pool, dryRun.accountId)).slugOf(result.claims.location)
      return dryRunResult(dryRun.definition, result, location)
    },
  }
}

/** The report of a run that is stored nowhere, in the shape of a stored result. */
function dryRunResult(
  definition: Record<string, unknown>,
  { claims, report, receivedAt }: IncomingResult,
  location: string,
) {
  const { outcome, degraded, overMaxResponseTime, cause } = report.verdict
  const time = (epochMs: number | null) => (epochMs === null ? null : new Date(epochMs))
  return toResult({
    id: claims.attemptId,
    check_id: claims.checkId,
    check_name: typeof definition['name'] === 'string' ? definition['name'] : '',
    check_type: claims.type,
    due_at: new Date(claims.dueAt),
    revision: claims.revision,
    location,
    result_type: 'FINAL',
    outcome,
    has_failures: outcome === 'fail',
    has_errors: outcome === 'unknown',
    is_degraded: degraded && outcome === 'pass',
    over_max: overMaxResponseTime,
    is_cancelled: false,
    attempts: 0,
    check_run_id: claims.dueAt,
    sequence_id: claims.sequenceId,
    response_ms: report.responseMs,
    started_at: time(report.startedAt),
    stopped_at: time(report.stoppedAt),
    received_at: new Date(receivedAt),
    late: false,
    emulated: claims.emulated,
    timing_uncertainty_ms: report.timingUncertaintyMs,
    source: claims.source,
    cause: cause === '' ? null : cause,
    body: { result: report.result, error: report.error, internalError: report.internalError, metrics: report.metrics },
  })
}
