import type { Database } from './db/database.ts'
import type { ApiHooks } from './resources/api-deps.ts'
import type { LiveHub } from './live/hub.ts'
import { readLocationSlugs } from './locations/location-param.ts'
import { accountOfCheck } from './live/store.ts'
import { toResult } from './resources/check-results/index.ts'
import type { DryRunRequest, IncomingResult, StartedRun } from './runs.ts'

/** What the API asks of the schedule. */
interface ScheduleForApi {
  /** Resolves when the schedule has the current state of the check. */
  checkChanged(checkId: string): Promise<void>
  /** The same for many checks at once. */
  checksChanged(checkIds: readonly string[]): Promise<void>
  /** Undefined when the check does not run, or belongs to another account. */
  requestRun(checkId: string, source: 'SCHEDULE_NOW'): Promise<StartedRun | undefined>
  /** The same for many checks at once. Those that do not run are left out. */
  requestRuns(checkIds: readonly string[], source: 'SCHEDULE_NOW'): Promise<void>
  /** Resolves when the schedule has the stored runs of the checks. */
  runsRequested(checkIds: readonly string[]): Promise<void>
  /** Resolves when no cancelled run of the sessions is handed out any more. */
  sessionsCancelled(sessionIds: readonly string[]): Promise<void>
  /** Undefined when no agent answered in time. */
  dryRun(request: DryRunRequest): Promise<IncomingResult | undefined>
}

interface Options {
  db: Database
  /** Lets waiting checks of a group run in the place of those that were cancelled. */
  turns: { passOn(): Promise<void> }
  schedule: ScheduleForApi
  /** Variables that this process caches for runs. */
  variables: { forget(accountId: string): void }
  /** Keys of agents that this process caches. */
  keys: { forget(): void }
  /** The same of client certificates. */
  certificates: { forget(accountId: string): void }
  hub: LiveHub
}

/** Notifies the schedule and open pages after the API has written something. */
export function apiHooks({ db, schedule, turns, variables, keys, certificates, hub }: Options): ApiHooks {
  return {
    async checkChanged(checkId, { change, runNow }) {
      await schedule.checkChanged(checkId)
      if (runNow) await schedule.requestRun(checkId, 'SCHEDULE_NOW')
      const accountId = await accountOfCheck(db, checkId)
      if (accountId !== undefined) hub.publish(accountId, { kind: 'check', checkId, change })
    },
    async manyChanged(accountId, changes) {
      await schedule.checksChanged(changes.map(({ checkId }) => checkId))
      const toRun = changes.filter(({ runNow }) => runNow).map(({ checkId }) => checkId)
      await schedule.requestRuns(toRun, 'SCHEDULE_NOW')
      for (const { checkId, change } of changes) hub.publish(accountId, { kind: 'check', checkId, change })
    },
    acknowledged: (accountId, checkId) => hub.publish(accountId, { kind: 'check', checkId, change: 'updated' }),
    checksChanged: (checkIds) => schedule.checksChanged(checkIds),
    locationsChanged: () => keys.forget(),
    variablesChanged: (accountId) => variables.forget(accountId),
    certificatesChanged: (accountId) => certificates.forget(accountId),
    runsRequested: (checkIds) => schedule.runsRequested(checkIds),
    async sessionsCancelled(sessionIds) {
      await schedule.sessionsCancelled(sessionIds)
      await turns.passOn()
    },
    async dryRun(dryRun) {
      const result = await schedule.dryRun(dryRun)
      if (result === undefined) return undefined
      const slugs = await readLocationSlugs(db.pool, dryRun.accountId)
      const { location: id } = result.identity
      const location = id === null ? null : slugs.slugOf(id)
      return dryRunResult(dryRun.definition, result, location)
    },
  }
}

/** The report of a run that is not stored, in the shape of a stored result; it has no files. */
function dryRunResult(
  definition: Record<string, unknown>,
  { identity, report, receivedAt }: IncomingResult,
  location: string | null,
) {
  const { outcome, degraded, overMaxResponseTime, cause } = report.verdict
  const time = (epochMs: number | null) => (epochMs === null ? null : new Date(epochMs))
  return toResult(
    {
      id: identity.attemptId,
      check_id: identity.checkId,
      check_name: typeof definition['name'] === 'string' ? definition['name'] : '',
      check_type: identity.type,
      due_at: new Date(identity.dueAt),
      revision: identity.revision,
      location,
      result_type: 'FINAL',
      outcome,
      has_failures: outcome === 'fail',
      has_errors: outcome === 'unknown',
      is_degraded: degraded && outcome === 'pass',
      over_max: overMaxResponseTime,
      is_cancelled: false,
      attempts: 0,
      check_run_id: identity.dueAt,
      sequence_id: identity.sequenceId,
      response_ms: report.responseMs,
      started_at: time(report.startedAt),
      stopped_at: time(report.stoppedAt),
      received_at: new Date(receivedAt),
      late: false,
      emulated: identity.emulated,
      timing_uncertainty_ms: report.timingUncertaintyMs,
      source: identity.source,
      cause: cause === '' ? null : cause,
      body: {
        result: report.result,
        error: report.error,
        internalError: report.internalError,
        metrics: report.metrics,
      },
    },
    '',
  )
}
