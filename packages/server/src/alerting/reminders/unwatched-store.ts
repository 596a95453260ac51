import type { CheckTypeName } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import type { CheckStatusRow, ChecksRow } from '../../db/rows.ts'
import { groupNameOf } from '../../db/subscribed-channels-store.ts'
import { awaitsFirstResult } from './awaits-first-result.ts'
import { readParents } from '../parents/parent-store.ts'
import { holdingParent } from '../parents/parent.ts'
import { alertIdOf, type NewAlert } from '../notifications/new-alert.ts'
import { mutedAt } from '../../settings/store.ts'
import type { Unwatched } from '../state/alert-state.ts'
import { causeOfUnwatched, isUnwatchedAfter } from '../state/watch.ts'

interface UnwatchedRow
  extends
    Pick<CheckStatusRow, 'check_id' | 'account_id' | 'last_pass_at'>,
    Pick<ChecksRow, 'name' | 'tags' | 'revision'> {
  type: CheckTypeName
  description: string | null
  group_name: string | null
  unwatched: Unwatched
  /** Milliseconds since nothing is known, by the clock of the database. */
  passed_ms: number
}

// $1 is now. One that was just changed is left out until its next result.
const query = `SELECT s.check_id, s.account_id, s.last_pass_at, c.name, c.type, c.tags, c.revision,
    c.definition->>'description' AS description, ${groupNameOf} AS group_name, s.alert_state->'unwatched' AS unwatched,
    (extract(epoch FROM clock_timestamp() - s.unwatched_at) * 1000)::float8 AS passed_ms
  FROM check_status s
  JOIN checks c ON c.id = s.check_id AND c.activated AND c.deleted_at IS NULL
    AND NOT ${mutedAt('$1')}
  WHERE s.unwatched_at IS NOT NULL AND s.held_by IS NULL AND s.has_errors AND (s.alert_state #>> '{unwatched,notified}') = 'false'
    AND NOT ${awaitsFirstResult}`

/** A wait that begins in the future began before the clock of the database was set back: it begins anew. */
export async function renewWaits(client: Queryable): Promise<void> {
  await client.query('UPDATE check_status SET unwatched_at = clock_timestamp() WHERE unwatched_at > clock_timestamp()')
}

/** Checks of which nothing was known for so long that channels must be notified, and are not yet. */
export async function readUnwatched(client: Queryable, nowMs: number): Promise<string[]> {
  const { rows } = await client.query<UnwatchedRow>(query, [new Date(nowMs)])
  return rows.filter((row) => isUnwatchedAfter(row.passed_ms)).map((row) => row.check_id)
}

/**
 * Marks one of them as notified and returns its alert; undefined when a result came or another server was faster, or while a
 * parent holds it back.
 */
export async function takeUnwatched(client: Queryable, checkId: string, nowMs: number): Promise<NewAlert | undefined> {
  await client.query('SELECT 1 FROM check_status WHERE check_id = $1 FOR UPDATE', [checkId])
  const { rows } = await client.query<UnwatchedRow>(`${query} AND s.check_id = $2`, [new Date(nowMs), checkId])
  const row = rows.find((one) => isUnwatchedAfter(one.passed_ms))
  if (!row) return undefined
  const holder = holdingParent((await readParents(client, [checkId], nowMs)).get(checkId) ?? [], nowMs)
  if (holder) {
    await client.query(
      `UPDATE check_status SET held_by = $2::uuid, alert_state = jsonb_set(alert_state, '{unwatched,heldBy}', to_jsonb($2::uuid))
       WHERE check_id = $1`,
      [checkId, holder.id],
    )
    return undefined
  }
  await client.query(
    `UPDATE check_status SET alert_state = jsonb_set(alert_state, '{unwatched,notified}', 'true') WHERE check_id = $1`,
    [checkId],
  )
  return unwatchedAlert(row, nowMs)
}

/** What an alert that a check is not being watched is made of. */
export type UnwatchedFacts = Omit<UnwatchedRow, 'passed_ms'>

export function unwatchedAlert(row: UnwatchedFacts, nowMs: number): NewAlert {
  const { triggeringResult: newest, newestAt, since } = row.unwatched
  return {
    id: alertIdOf(newest.resultId, 'ALERT_UNKNOWN', 0),
    accountId: row.account_id,
    checkId: row.check_id,
    checkName: row.name,
    checkType: row.type,
    alertType: 'ALERT_UNKNOWN',
    resultId: newest.resultId,
    resultDueAt: newestAt,
    revision: row.revision,
    location: newest.location,
    responseMs: null,
    cause: causeOfUnwatched(row.unwatched),
    statusCode: null,
    startedAt: newest.startedAt,
    finishedAt: newest.finishedAt,
    decidedAt: nowMs,
    reminder: 0,
    muted: false,
    tags: row.tags,
    lastPassAt: row.last_pass_at?.getTime() ?? null,
    stateSince: since,
    description: row.description,
    groupName: row.group_name,
  }
}
