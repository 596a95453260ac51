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

/**
 * What a location last reported. For a parallel check one entry per location of the check; otherwise the locations that
 * failed in this trouble.
 */
export interface LocationState {
  /** Due time of its newest result with a known outcome; 0 before the first. */
  dueAt: number
  /** The outcome of that result; `unknown` before the first. */
  condition: Condition
  /** Due time of its newest *not known* result, when that is the newest of all. */
  lostAt?: number
  /** Number of the parallel run in which it last reported a known outcome. */
  run?: number
  /** Its newest known result arrived too late to alert. */
  late?: boolean
  /** Due time at which its first result was awaited, until there is one. */
  awaitedFrom?: number
  triggeringResult?: TriggeringResult
}

/** *Not known* results in a row, of a check of which no location knows more. */
export interface Unwatched {
  /** Due time of the first of them. */
  since: number
  /** Due time of the newest, and how many slots they are. */
  newestAt: number
  runs: number
  /** The newest. */
  triggeringResult: TriggeringResult
  /** Channels were notified that the check is not being watched. */
  notified: boolean
  /** The parent for which the alert that is due is held back. Absent: none is. */
  heldBy?: string
}

/** An alert that is due and held back, because a parent of the check fails. */
export interface HeldAlert {
  /** Id of the parent. */
  parentId: string
  /** The newest bad result. */
  triggeringResult: TriggeringResult
}

/** The run that the results of a parallel check belong to now. */
export interface CurrentRun {
  number: number
  /** Number of the newest run that was decided, this one or an earlier one; and the condition it was counted with. */
  decided: number
  condition: Condition
}

/** The state of the alert state machine, one per check, stored as jsonb in `check_status.alert_state`. */
export interface AlertState {
  version: 3
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
  /** Nobody was notified of the trouble while a parent fails. */
  held: HeldAlert | null
  locations: Record<string, LocationState>
  run: CurrentRun
  unwatched: Unwatched | null
}

/** The state of a check that never ran. */
export const initialState = (): AlertState => ({
  version: 3,
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
  held: null,
  locations: {},
  run: { number: 1, decided: 0, condition: 'unknown' },
  unwatched: null,
})

/** Reads a stored state. Fields that a newer version added get their initial value. */
export function readAlertState(stored: unknown): AlertState {
  if (typeof stored !== 'object' || stored === null) return initialState()
  return 'open' in stored ? fromVersion2(stored as StateOfVersion2) : { ...initialState(), ...stored, version: 3 }
}

/** Version 2 kept the results of parallel runs by due time. */
interface StateOfVersion2 extends Omit<AlertState, 'version' | 'locations' | 'run' | 'unwatched'> {
  locations: Record<string, { dueAt: number; condition: Condition }>
  open: { dueAt: number; late: boolean; triggeringResults: Partial<Record<Condition, TriggeringResult>> }[]
}

/** Results newer than the newest decided run belong to the run that is open now, the others to the run before. */
function fromVersion2({ open, ...stored }: StateOfVersion2): AlertState {
  const state = { ...initialState(), ...stored, version: 3 as const }
  const locationState = (location: string, { dueAt, condition }: { dueAt: number; condition: Condition }) => {
    if (condition === 'unknown') return { dueAt: 0, condition, lostAt: dueAt }
    const run = open.find((one) => one.dueAt === dueAt)
    const found = Object.values(run?.triggeringResults ?? {}).find((result) => result.location === location)
    return {
      dueAt,
      condition,
      run: dueAt > state.dueAt ? state.run.number : state.run.number - 1,
      late: run?.late ?? false,
      ...(found && { triggeringResult: found }),
    }
  }
  const locations = Object.entries(state.locations).map(([location, newest]) => [
    location,
    locationState(location, newest),
  ])
  return { ...state, locations: Object.fromEntries(locations) as AlertState['locations'] }
}
