import type { CheckResult, TypeParts } from '@vedette/checks'
import type { CheckTypeName, Outcome, ResultType } from '@vedette/wire'
import type { CheckResultsRow } from '../../db/rows.ts'

/** The columns of `check_results` that every answer about a result needs. */
export const resultColumns = [
  'id',
  'check_id',
  'due_at',
  'revision',
  'location',
  'result_type',
  'outcome',
  'has_failures',
  'has_errors',
  'is_degraded',
  'over_max',
  'is_cancelled',
  'attempts',
  'check_run_id',
  'sequence_id',
  'response_ms',
  'started_at',
  'stopped_at',
  'received_at',
  'late',
  'emulated',
  'timing_uncertainty_ms',
  'source',
  'cause',
] as const

/** A row of `check_results` with the check it belongs to. */
export interface ResultRow extends Pick<CheckResultsRow, (typeof resultColumns)[number]> {
  check_name: string
  check_type: CheckTypeName
  result_type: ResultType
  outcome: Outcome
  /** Whose packets were captured: its own, or in a run that was retried those of an earlier attempt. Absent with the body. */
  captured_id?: string | null
  /** Absent when the fields asked for do not need it. */
  body?: ResultBody
}

/** The JSON column `body`; `result` is the type-specific part under its key. */
type ResultBody = Partial<Pick<CheckResult, 'error' | 'internalError' | 'metrics'>> & { result?: Partial<TypeParts> }
