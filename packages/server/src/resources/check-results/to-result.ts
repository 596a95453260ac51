import { checkResult, typeParts, type CheckResult, type TypeParts } from '@vedette/checks'
import { networkAssets } from '@vedette/wire'
import { writtenAsStored } from '../../http/schemas/json-schema.ts'
import { assetUrl } from './asset-url.ts'
import type { ResultRow } from './result-row.ts'

// Results of other agent versions may have more or fewer fields than the schemas of the current check types.
for (const part of Object.values(typeParts.shape)) writtenAsStored(part)

/** A result in a list, cut down to the fields asked for. */
export const resultEntry = checkResult.partial().meta({ id: 'CheckResultEntry' })

const partNames = Object.keys(typeParts.shape) as (keyof TypeParts)[]

/** The type-specific parts of a stored body; nothing else of what an agent reported stands in an answer. */
const partsOf = (stored: Partial<TypeParts> | null | undefined): TypeParts =>
  Object.fromEntries(partNames.map((name) => [name, stored?.[name] ?? null])) as TypeParts

/** The parts with the address of the capture, which agents do not know. */
function withCapture(parts: TypeParts, row: ResultRow, baseUrl: string): TypeParts {
  const { apiCheckResult: part } = parts
  const { check_id: checkId, captured_id: resultId = null } = row
  if (part === null || (resultId === null && !('pcapDataUrl' in part))) return parts
  const pcapDataUrl = resultId === null ? null : assetUrl(baseUrl, { checkId, resultId }, networkAssets.capture)
  return { ...parts, apiCheckResult: { ...part, pcapDataUrl } }
}

/** A stored result as the API at this address returns it. */
export function toResult(row: ResultRow, baseUrl: string): CheckResult {
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
    ...withCapture(partsOf(row.body?.result), row, baseUrl),
    error: row.body?.error ?? null,
    internalError: row.body?.internalError ?? null,
    metrics: row.body?.metrics ?? {},
  }
}

/** The result cut down to the fields asked for. */
export const pickFields = (result: CheckResult, fields: readonly (keyof CheckResult)[]): Partial<CheckResult> =>
  Object.fromEntries(fields.map((field) => [field, result[field]]))
