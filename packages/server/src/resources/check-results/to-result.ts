import { checkTypes } from '@vedette/checks'
import type { CheckResult } from '@vedette/wire'
import type { ResultRow } from './result-row.ts'

const contractKeys = ['apiCheckResult', 'browserCheckResult', 'multiStepCheckResult', 'agenticCheckResult']
const ownKeys = checkTypes.flatMap(({ resultKey }) => (resultKey === null ? [] : [resultKey]))

/** Parts of a result by check type: that of its own type is filled, the others are null. */
const resultKeys = [...new Set([...contractKeys, ...ownKeys])]

const emptyParts = Object.fromEntries(resultKeys.map((key) => [key, null]))

/** A stored result as the API answers it. */
export function toResult(row: ResultRow): CheckResult {
  return {
    id: row.id,
    resultType: row.result_type,
    name: row.check_name,
    checkId: row.check_id,
    checkType: row.check_type,
    hasFailures: row.has_failures,
    hasErrors: row.has_errors,
    isDegraded: row.is_degraded,
    isCancelled: row.is_cancelled,
    overMaxResponseTime: row.over_max,
    runLocation: row.location,
    startedAt: row.started_at?.toISOString() ?? null,
    stoppedAt: row.stopped_at?.toISOString() ?? null,
    dueAt: row.due_at.toISOString(),
    created_at: row.received_at.toISOString(),
    responseTime: row.response_ms,
    checkRunId: row.check_run_id,
    attempts: row.attempts,
    sequenceId: row.sequence_id,
    errorGroupIds: [],
    cause: row.cause,
    emulatedLocation: row.emulated,
    outcome: row.outcome,
    runSource: row.source,
    revision: row.revision,
    late: row.late,
    timingUncertaintyMs: row.timing_uncertainty_ms,
    ...(row.body && {
      ...emptyParts,
      ...row.body.result,
      error: row.body.error ?? null,
      internalError: row.body.internalError ?? null,
      metrics: row.body.metrics ?? {},
    }),
  }
}

/** Fields that only the stored body can answer. */
export const bodyFields: ReadonlySet<string> = new Set([...resultKeys, 'error', 'internalError', 'metrics'])

/** Every field an entry can have, for the `fields` parameter. */
export const resultFields = [
  'id',
  'resultType',
  'name',
  'checkId',
  'checkType',
  'hasFailures',
  'hasErrors',
  'isDegraded',
  'isCancelled',
  'overMaxResponseTime',
  'runLocation',
  'startedAt',
  'stoppedAt',
  'dueAt',
  'created_at',
  'responseTime',
  'checkRunId',
  'attempts',
  'sequenceId',
  'errorGroupIds',
  'cause',
  'emulatedLocation',
  'outcome',
  'runSource',
  'revision',
  'late',
  'timingUncertaintyMs',
  ...resultKeys,
  'error',
  'internalError',
  'metrics',
]

/** The entry cut down to the fields asked for. */
export const pickFields = (result: CheckResult, fields: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(fields.map((field) => [field, result[field]]))
