import type { CheckTypeName } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import type { CheckStatusRow, ChecksRow } from '../../db/rows.ts'
import { groupNameOf } from '../../db/subscribed-channels-store.ts'
import { mutedAt } from '../../settings/store.ts'
import { openEpisodeColumns, openEpisodeOf, type OpenEpisodeColumns } from '../episodes/episode-store.ts'
import { alertIdOf, type NewAlert } from '../notifications/new-alert.ts'
import { awaitsFirstResult } from '../reminders/awaits-first-result.ts'
import { unwatchedAlert } from '../reminders/unwatched-store.ts'
import { readAlertState } from '../state/alert-state.ts'
import { release } from '../state/transition.ts'
import { releaseWatch } from '../state/watch.ts'
import { readParents } from './parent-store.ts'
import { holdingParent } from './parent.ts'

interface HeldRow
  extends
    Pick<CheckStatusRow, 'check_id' | 'account_id' | 'state_since' | 'last_pass_at' | 'alert_state'>,
    Pick<ChecksRow, 'name' | 'tags' | 'revision'>,
    OpenEpisodeColumns {
  type: CheckTypeName
  description: string | null
  group_name: string | null
}

// $1 is now. One that was just changed is left out until its next result.
const query = `SELECT s.check_id, s.account_id, s.state_since, s.last_pass_at, s.alert_state, c.name, c.type, c.tags, c.revision,
    c.definition->>'description' AS description, ${groupNameOf} AS group_name, ${openEpisodeColumns}
  FROM check_status s
  JOIN checks c ON c.id = s.check_id AND c.activated AND c.deleted_at IS NULL AND c.not_runnable IS NULL
    AND NOT ${mutedAt('$1')}
  LEFT JOIN ${openEpisodeOf('s.check_id')}
  WHERE s.held_by IS NOT NULL AND NOT ${awaitsFirstResult}`

/** Checks of which an alert was held back, and which no parent holds back any more. */
export async function readReleased(client: Queryable, nowMs: number): Promise<string[]> {
  const { rows } = await client.query<HeldRow>(query, [new Date(nowMs)])
  const ids = rows.map((row) => row.check_id)
  const parents = await readParents(client, ids, nowMs)
  return ids.filter((id) => holdingParent(parents.get(id) ?? [], nowMs) === undefined)
}

/** Marks the alerts of one of them as notified and returns them; none when a result came or another server was faster. */
export async function takeReleased(client: Queryable, checkId: string, nowMs: number): Promise<NewAlert[]> {
  await client.query('SELECT 1 FROM check_status WHERE check_id = $1 FOR UPDATE', [checkId])
  const { rows } = await client.query<HeldRow>(`${query} AND s.check_id = $2`, [new Date(nowMs), checkId])
  const [row] = rows
  const parents = (await readParents(client, [checkId], nowMs)).get(checkId) ?? []
  if (!row || holdingParent(parents, nowMs)) return []
  const before = readAlertState(row.alert_state)
  const trouble = release(before, nowMs)
  const watch = releaseWatch(trouble?.state ?? before)
  await client.query('UPDATE check_status SET held_by = NULL, alert_state = $2 WHERE check_id = $1', [
    checkId,
    JSON.stringify(watch?.state ?? trouble?.state ?? before),
  ])
  return [
    ...(watch ? [unwatchedAlert({ ...row, unwatched: watch.unwatched }, nowMs)] : []),
    ...(trouble ? [troubleAlert(row, { ...trouble, dueAt: before.dueAt }, nowMs)] : []),
  ]
}

type Released = Pick<NonNullable<ReturnType<typeof release>>, 'type' | 'triggeringResult'> & { dueAt: number }

const troubleAlert = (row: HeldRow, { type, triggeringResult: basis, dueAt }: Released, nowMs: number): NewAlert => ({
  id: alertIdOf(basis.resultId, type, 0),
  accountId: row.account_id,
  checkId: row.check_id,
  checkName: row.name,
  checkType: row.type,
  alertType: type,
  resultId: basis.resultId,
  resultDueAt: dueAt,
  revision: row.revision,
  location: basis.location,
  responseMs: basis.responseMs,
  cause: basis.cause,
  statusCode: basis.statusCode,
  startedAt: basis.startedAt,
  finishedAt: basis.finishedAt,
  decidedAt: nowMs,
  reminder: 0,
  muted: false,
  tags: row.tags,
  lastPassAt: row.last_pass_at?.getTime() ?? null,
  stateSince: row.state_since?.getTime() ?? null,
  description: row.description,
  groupName: row.group_name,
  episodeId: row.episode_id,
  acknowledgedBy: row.acknowledged_by,
})
