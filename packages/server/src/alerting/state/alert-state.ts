import type { AlertType } from '@vedette/wire'

/** What a check is found to be. `unknown` until the first run that says something about the target. */
export type Condition = 'unknown' | 'passing' | 'degraded' | 'failing'
/** What people have been told of the trouble that lasts. */
export type Notified = 'nothing' | 'degraded' | 'failing'

/** What an alert tells of a result. */
export interface TriggeringResult {
  resultId: string
  location: string
  cause: string | null
  responseMs: number | null
  statusCode: number | null
  startedAt: number | null
  finishedAt: number | null
}

/** A parallel run that waits for the rest of its locations. */
export interface OpenRun {
  dueAt: number
  late: boolean
  results: Record<string, Condition>
  /** The newest result of each condition: the one that completes a run may not be the one to tell of. */
  triggeringResults: Partial<Record<Condition, TriggeringResult>>
}

/** The memory of the alert state machine, one per check, kept as jsonb in `check_status.alert_state`. */
export interface AlertState {
  version: 2
  condition: Condition
  /** Due time of the newest run that decided the condition; 0 before the first. */
  dueAt: number
  /** Due time of the newest run heard of, not known ones included. */
  seenAt: number
  /** Due time of the first run of the condition. */
  since: number
  /** Runs in a row with this condition. */
  runs: number
  notified: Notified
  /** Like `notified`, counting alerts that were muted. */
  recorded: Notified
  /** When people were last told, epoch milliseconds; null when they have nothing to be told the end of. */
  notifiedAt: number | null
  /** An alert was due with a result that came too late to page: the next run in this condition sends it. */
  pending: boolean
  /** A recovery was due with a late result: the next passing run sends it, to people if they were told of the trouble. */
  pendingRecovery: { type: AlertType; notified: boolean } | null
  /** The newest word of each location: all of a parallel check, those that failed in this trouble otherwise. */
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

/** Reads a stored state. Fields a newer program added start at their initial value. */
export function readAlertState(stored: unknown): AlertState {
  if (typeof stored !== 'object' || stored === null) return initialState()
  return { ...initialState(), ...stored, version: 2 }
}
