import type { Queryable } from '../../db/database.ts'
import type { CheckParentsRow, CheckStatusRow, ChecksRow } from '../../db/rows.ts'
import { subscribedChannels } from '../../db/subscribed-channels-store.ts'
import { isMuted } from '../../settings/muted.ts'
import { periodMsOf } from '../../settings/period.ts'
import type { StoredEffective } from '../../settings/store.ts'
import { readAlertState } from '../state/alert-state.ts'
import type { Parent } from './parent.ts'

interface ParentRow
  extends
    Pick<CheckParentsRow, 'check_id' | 'parent_id'>,
    Pick<ChecksRow, 'activated' | 'not_runnable'>,
    Pick<CheckStatusRow, 'alert_state'> {
  effective: StoredEffective
  is_heard: boolean
}

/** The parents of these checks, by check. Those without any are left out. */
export async function readParents(
  client: Queryable,
  checkIds: readonly string[],
  nowMs: number,
): Promise<Map<string, Parent[]>> {
  const parents = new Map<string, Parent[]>()
  if (checkIds.length === 0) return parents
  const { rows } = await client.query<ParentRow>({
    name: 'alerting-parents',
    text: `SELECT l.check_id, l.parent_id, c.activated, c.not_runnable, c.effective, s.alert_state,
        EXISTS (SELECT 1 FROM ${subscribedChannels} ch
          WHERE ch.check_id = c.id AND ch.activated AND ch.send_failure) AS is_heard
      FROM check_parents l JOIN checks c ON c.id = l.parent_id AND c.deleted_at IS NULL
      JOIN check_status s ON s.check_id = c.id
      WHERE l.check_id = ANY($1::uuid[]) ORDER BY l.check_id, l.parent_id`,
    values: [checkIds],
  })
  for (const row of rows) {
    const others = parents.get(row.check_id)
    if (others) others.push(toParent(row, nowMs))
    else parents.set(row.check_id, [toParent(row, nowMs)])
  }
  return parents
}

const toParent = (row: ParentRow, nowMs: number): Parent => ({
  id: row.parent_id,
  runs: row.activated && row.not_runnable === null,
  muted: isMuted(row.effective, nowMs),
  isHeard: row.is_heard,
  periodMs: periodMsOf(row.effective),
  state: readAlertState(row.alert_state),
})
