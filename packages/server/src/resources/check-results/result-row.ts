import type { CheckTypeName } from '@vedette/wire'

/** A row of `check_results` with the check it belongs to. */
export interface ResultRow {
  id: string
  check_id: string
  check_name: string
  check_type: CheckTypeName
  due_at: Date
  revision: number
  location: string
  result_type: 'FINAL' | 'ATTEMPT'
  outcome: string
  has_failures: boolean
  has_errors: boolean
  is_degraded: boolean
  over_max: boolean
  is_cancelled: boolean
  attempts: number
  check_run_id: number | string
  sequence_id: string
  response_ms: number | null
  started_at: Date | null
  stopped_at: Date | null
  received_at: Date
  late: boolean
  emulated: boolean
  timing_uncertainty_ms: number
  source: string
  cause: string | null
  /** Absent when the caller asked for fields that do not need it. */
  body?: ResultBody | null
}

interface ResultBody {
  /** The type-specific part, named by the contract: `{ apiCheckResult: … }`. */
  result?: Record<string, unknown>
  verdict?: unknown
  error?: unknown
  internalError?: unknown
  metrics?: Record<string, number>
}
