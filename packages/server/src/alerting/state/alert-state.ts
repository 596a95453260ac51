import type { AlertType } from '@vedette/wire'

/** The condition of a check; `unknown` until the first run with a known outcome. */
export type Condition = 'unknown' | 'passing' | 'degraded' | 'failing'
/** The current trouble of which channels were notified. */
export type Notified = 'nothing' | 'degraded' | 'failing'

/** The data of a result that an alert shows. */
export interface TriggeringResult {
  resultId: string
  /** null for passive checks. */
  location: string | null
  cause: string | null
  responseMs: number | null
  statusCode: number | null
  startedAt: number | null
  finishedAt: number | null
}

/** A parallel run that is missing results of some locations. */
export interface OpenRun {
  dueAt: number
  late: boolean
  results: Record<string, Condition>
  /** The newest result of each condition: the result that completes a run may have another condition than the run. */
  triggeringResults: Partial<Record<Condition, TriggeringResult>>
}

/** The state of the alert state machine, one per check, stored as jsonb in `check_status.alert_state`. */
export interface AlertState {
  version: 2
  condition: Condition
  /** Due time of the newest run that decided the condition; 0 before the first. */
  dueAt: number
  /** Due time of the newest run with a result, *not known* ones included. */
  seenAt: number
  /** Due time of the first run of the condition. */
  since: number
  /** Runs in a row with this condition. */
  runs: number
  notified: Notified
  /** Like `notified`, including muted alerts. */
  recorded: Notified
  /** When channels were last notified, epoch milliseconds; null when no recovery is to follow. */
  notifiedAt: number | null
  /** An alert was due with a result that arrived too late to alert: the next run in this condition sends it. */
  pending: boolean
  /**
   * A recovery was due with a late result: the next passing run records it, and sends it if the trouble was notified.
   */
  pendingRecovery: { type: AlertType; notified: boolean } | null
  /** The newest outcome by location: all of a parallel check; otherwise those that failed in this trouble. */
  locations: Record<string, { dueAt: number; condition: Condition }>
  open: OpenRun[]
}

/** The state of a check that never ran. */
export const initialState = (): AlertState => ({
  version: 2,
  condition: 'unknown',
  dueAt: 0,
  seenAt: 0,
  since: 0,
  runs: 0,
  notified: 'nothing',
  recorded: 'nothing',
  notifiedAt: null,
  pending: false,
  pendingRecovery: null,
  locations: {},
  open: [],
})

/** Reads a stored state. Fields that a newer version added get their initial value. */
export function readAlertState(stored: unknown): AlertState {
  if (typeof stored !== 'object' || stored === null) return initialState()
  return { ...initialState(), ...stored, version: 2 }
}
