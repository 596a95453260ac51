import type { Database } from '../../src/db/database.ts'

/** A stored result as the invariants use it. Times are epoch milliseconds. */
export interface PastResult {
  id: string
  checkId: string
  sequenceId: string
  dueAt: number
  receivedAt: number
  location: string
  resultType: 'FINAL' | 'ATTEMPT'
  outcome: 'pass' | 'fail' | 'unknown'
  degraded: boolean
  late: boolean
  attempts: number
  revision: number
  /** null for one that never started. */
  startedAt: number | null
  /** null for one that has no end. */
  stoppedAt: number | null
  /** The target did not answer in its protocol. */
  networkError: boolean
}

export interface PastAlert {
  id: string
  checkId: string
  type: string
  resultId: string
  at: number
  /** The higher, the later it was stored, whatever clocks say. */
  seq: number
  /** The parent for which nobody was told; null for every other alert. */
  heldBy: string | null
}

export interface PastNotification {
  id: string
  alertId: string
  status: string
  attempts: number
  channelId: number
}

export interface Gap {
  from: number
  to: number
  /** null when no location was watched. */
  location: string | null
}

/** The definition of a check from a moment on, by the clock of the server that stored it. */
export interface PastDefinition {
  checkId: string
  revision: number
  from: number
  definition: Record<string, unknown>
}

/** An attempt that is stored as to do. */
export interface PendingAttempt {
  checkId: string
  dueAt: number
  attempt: number
  source: string
}

export interface PastEpisode {
  checkId: string
  state: string
  beganAt: number
  /** null while it lasts. */
  endedAt: number | null
}

/** Everything the simulated server stored. */
export interface History {
  results: PastResult[]
  alerts: PastAlert[]
  notifications: PastNotification[]
  gaps: Gap[]
  states: Map<string, string>
  pending: PendingAttempt[]
  /** Oldest first. */
  definitions: PastDefinition[]
  deleted: Set<string>
  /** Checks that run at the end. */
  activated: Set<string>
  /** Oldest first. */
  episodes: PastEpisode[]
}

export async function readHistory(db: Database): Promise<History> {
  const read = async <T>(text: string): Promise<T[]> => (await db.pool.query(text)).rows as T[]
  const results = await read<PastResult>(
    `SELECT id, check_id AS "checkId", sequence_id AS "sequenceId", location, outcome, attempts, late, revision,
       coalesce((body->'error'->>'network')::boolean, false) AS "networkError", ${ms('started_at')} AS "startedAt",
       ${ms('stopped_at')} AS "stoppedAt",
       result_type AS "resultType", is_degraded AS degraded, ${ms('due_at')} AS "dueAt",
       ${ms('received_at')} AS "receivedAt" FROM check_results ORDER BY due_at, attempts`,
  )
  const alerts = await read<PastAlert>(
    `SELECT id, check_id AS "checkId", alert_type AS type, result_id AS "resultId", held_by AS "heldBy", seq, ${ms('created_at')} AS at
     FROM check_alerts ORDER BY created_at, result_due_at`,
  )
  const notifications = await read<PastNotification>(
    `SELECT id, alert_id AS "alertId", status, attempts, channel_id AS "channelId" FROM alert_notifications ORDER BY queued_at, seq`,
  )
  const gaps = await read<Gap>(`SELECT ${ms('from_at')} AS from, ${ms('to_at')} AS to, location FROM coverage_gaps`)
  const states = await read<{ check_id: string; state: string }>(`SELECT check_id, state FROM check_status`)
  const pending = await read<PendingAttempt>(
    `SELECT check_id AS "checkId", ${ms('due_at')} AS "dueAt", attempt, source FROM pending_runs`,
  )
  const definitions = await read<PastDefinition>(
    `SELECT check_id AS "checkId", revision, definition, ${ms('created_at')} AS from FROM check_revisions ORDER BY revision`,
  )
  const deleted = await read<{ id: string }>('SELECT id FROM checks WHERE deleted_at IS NOT NULL')
  const activated = await read<{ id: string }>('SELECT id FROM checks WHERE activated AND deleted_at IS NULL')
  const episodes = await read<PastEpisode>(
    `SELECT check_id AS "checkId", state, ${ms('began_at')} AS "beganAt", ${ms('ended_at')} AS "endedAt"
     FROM check_episodes ORDER BY began_at, ended_at`,
  )
  return {
    results,
    alerts,
    notifications,
    gaps,
    states: new Map(states.map(({ check_id, state }) => [check_id, state])),
    pending,
    definitions,
    deleted: new Set(deleted.map(({ id }) => id)),
    activated: new Set(activated.map(({ id }) => id)),
    episodes,
  }
}

const ms = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::float8`
