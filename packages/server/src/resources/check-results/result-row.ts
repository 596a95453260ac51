import type { CheckTypeName } from '@vedette/wire'
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
  result_type: 'FINAL' | 'ATTEMPT'
  /** Absent when the caller asked for fields that do not need it. */
  body?: ResultBody
}

interface ResultBody {
  /** The type-specific part, named by the contract: `{ apiCheckResult: … }`. */
  result?: Record<string, unknown>
  verdict?: unknown
  error?: unknown
  internalError?: unknown
  metrics?: Record<string, number>
}
