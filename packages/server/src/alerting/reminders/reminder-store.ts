import type { AlertSettings, CheckTypeName } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import type { CheckAlertsRow, CheckStatusRow, ChecksRow } from '../../db/rows.ts'
import { groupNameOf } from '../../db/subscribed-channels-store.ts'
import { openEpisodeColumns, openEpisodeOf, type OpenEpisodeColumns } from '../episodes/episode-store.ts'
import { awaitsFirstResult } from './awaits-first-result.ts'
import { mutedAt } from '../../settings/store.ts'
import { alertIdOf, type NewAlert } from '../notifications/new-alert.ts'

type LastAlertRow = Pick<
  CheckAlertsRow,
  | 'result_id'
  | 'result_due_at'
  | 'revision'
  | 'location'
  | 'response_ms'
  | 'status_code'
  | 'error'
  | 'reminder'
  | 'started_at'
>

interface TroubleRow
  extends
    Pick<CheckStatusRow, 'check_id' | 'account_id' | 'cause' | 'state_since' | 'last_pass_at'>,
    Pick<ChecksRow, 'name' | 'tags'>,
    LastAlertRow,
    OpenEpisodeColumns {
  type: CheckTypeName
  description: string | null
  group_name: string | null
  settings: AlertSettings
  alert_type: NewAlert['alertType']
  // An alert of a check names its run.
  result_id: string
  result_due_at: Date
  revision: number
  /** Milliseconds since the last alert was recorded, by the clock of the database. */
  passed_ms: number
}

/** A check still in trouble of which channels were notified, and its last alert. */
export interface Trouble {
  checkId: string
  settings: AlertSettings
  last: { reminder: number; passedMs: number }
  /** The reminder to send now. */
  reminderAt(nowMs: number): NewAlert
}

// $1 is now.
const query = `SELECT s.check_id, s.account_id, c.name, c.type, c.tags, c.definition->>'description' AS description, ${groupNameOf} AS group_name,
    s.cause, s.state_since, s.last_pass_at, c.effective->'alertSettings' AS settings,
    a.alert_type, a.result_id, a.result_due_at, a.revision, a.location, a.response_ms, a.status_code, a.error,
    a.reminder, a.started_at, ${openEpisodeColumns}, (extract(epoch FROM clock_timestamp() - a.recorded_at) * 1000)::float8 AS passed_ms
  FROM check_status s
  JOIN checks c ON c.id = s.check_id AND c.activated AND c.deleted_at IS NULL AND c.not_runnable IS NULL
    AND NOT ${mutedAt('$1')}
  JOIN LATERAL (SELECT * FROM check_alerts WHERE check_id = s.check_id AND alert_type NOT IN ('ALERT_SSL', 'ALERT_UNKNOWN', 'ALERT_UNKNOWN_RECOVERY')
    ORDER BY seq DESC LIMIT 1) a ON a.alert_type NOT LIKE '%RECOVERY'
  LEFT JOIN ${openEpisodeOf('s.check_id')}
  WHERE e.acknowledged_at IS NULL AND (s.has_failures OR s.is_degraded) AND NOT ${awaitsFirstResult}
    AND coalesce(s.alert_state->>'notified', 'nothing') <> 'nothing'`

/** Checks that run, in trouble of which channels were notified and which nobody acknowledged. One that was just changed is left out until its next result. */
export async function readTroubles(client: Queryable, nowMs: number): Promise<Trouble[]> {
  const { rows } = await client.query<TroubleRow>(query, [new Date(nowMs)])
  return rows.map(toTrouble)
}

/** One of them, its status row locked; undefined when the trouble is over, or somebody cares for it now. */
export async function lockTrouble(client: Queryable, checkId: string, nowMs: number): Promise<Trouble | undefined> {
  await client.query('SELECT 1 FROM check_status WHERE check_id = $1 FOR UPDATE', [checkId])
  const { rows } = await client.query<TroubleRow>(`${query} AND s.check_id = $2`, [new Date(nowMs), checkId])
  return rows[0] && toTrouble(rows[0])
}

const ms = (at: Date | null): number | null => at?.getTime() ?? null

const toTrouble = (row: TroubleRow): Trouble => ({
  checkId: row.check_id,
  settings: row.settings,
  last: { reminder: row.reminder, passedMs: row.passed_ms },
  reminderAt: (nowMs) => reminderOf(row, nowMs),
})

const reminderOf = (row: TroubleRow, nowMs: number): NewAlert => ({
  id: alertIdOf(row.result_id, row.alert_type, row.reminder + 1),
  accountId: row.account_id,
  checkId: row.check_id,
  checkName: row.name,
  checkType: row.type,
  alertType: row.alert_type,
  resultId: row.result_id,
  resultDueAt: row.result_due_at.getTime(),
  revision: row.revision,
  location: row.location,
  responseMs: row.response_ms,
  cause: row.cause ?? row.error,
  statusCode: row.status_code,
  startedAt: ms(row.started_at),
  finishedAt: null,
  decidedAt: nowMs,
  reminder: row.reminder + 1,
  muted: false,
  tags: row.tags,
  lastPassAt: ms(row.last_pass_at),
  stateSince: ms(row.state_since),
  description: row.description,
  groupName: row.group_name,
  episodeId: row.episode_id,
  acknowledgedBy: null,
})
