import type { CheckEpisode, NotifiedChannel } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import type { AlertNotificationsRow, CheckEpisodesRow, ChecksRow } from '../../db/rows.ts'

const columns = [
  'id',
  'state',
  'began_at',
  'ended_at',
  'cause',
  'result_id',
  'acknowledged_by',
  'acknowledged_at',
] as const
const columnList = columns.join(', ')
export type EpisodeRow = Pick<CheckEpisodesRow, (typeof columns)[number]>

export interface OfCheck {
  account: string
  checkId: string
}

/** Undefined when the account has no such check. */
export async function readVersion(
  client: Queryable,
  { account, checkId }: OfCheck,
): Promise<Pick<ChecksRow, 'version'> | undefined> {
  const { rows } = await client.query<Pick<ChecksRow, 'version'>>(
    'SELECT version FROM checks WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL',
    [account, checkId],
  )
  return rows[0]
}

export interface EpisodeFilter extends OfCheck {
  /** Episodes that lasted at any moment of this time. Either end may be open. */
  from: Date | null
  to: Date | null
}

const where = `account_id = $1 AND check_id = $2
  AND ($3::timestamptz IS NULL OR ended_at IS NULL OR ended_at > $3) AND ($4::timestamptz IS NULL OR began_at < $4)`

/** Newest first. */
export async function listEpisodes(
  client: Queryable,
  { account, checkId, from, to }: EpisodeFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ episodes: EpisodeRow[]; total: number }> {
  const values = [account, checkId, from, to]
  const { rows } = await client.query<EpisodeRow>(
    `SELECT ${columnList} FROM check_episodes WHERE ${where} ORDER BY began_at DESC, id LIMIT $5 OFFSET $6`,
    [...values, limit, offset],
  )
  const count = await client.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM check_episodes WHERE ${where}`,
    values,
  )
  return { episodes: rows, total: count.rows[0]?.total ?? 0 }
}

/** The episode that lasts, locked. */
export async function lockOpenEpisode(
  client: Queryable,
  { account, checkId }: OfCheck,
): Promise<EpisodeRow | undefined> {
  const { rows } = await client.query<EpisodeRow>(
    `SELECT ${columnList} FROM check_episodes WHERE account_id = $1 AND check_id = $2 AND ended_at IS NULL FOR UPDATE`,
    [account, checkId],
  )
  return rows[0]
}

export async function writeAcknowledgement(
  client: Queryable,
  id: string,
  acknowledged: { by: string; at: Date } | null,
): Promise<void> {
  await client.query('UPDATE check_episodes SET acknowledged_by = $2, acknowledged_at = $3 WHERE id = $1', [
    id,
    acknowledged?.by ?? null,
    acknowledged?.at ?? null,
  ])
}

type NotifiedRow = Pick<AlertNotificationsRow, 'channel_id'> & {
  episode_id: string
  type: NotifiedChannel['type']
  status: NotifiedChannel['status']
  config: Record<string, unknown>
}

/** The channels of all these episodes, in one query. */
async function readNotified(client: Queryable, ids: readonly string[]): Promise<NotifiedRow[]> {
  if (ids.length === 0) return []
  const { rows } = await client.query<NotifiedRow>(
    `SELECT DISTINCT ON (a.episode_id, n.channel_id) a.episode_id, n.channel_id, n.channel_type AS type, n.status,
       n.alert_config AS config
     FROM check_alerts a JOIN alert_notifications n ON n.alert_id = a.id
     WHERE a.episode_id = ANY($1::uuid[]) AND a.alert_type NOT LIKE '%RECOVERY'
     ORDER BY a.episode_id, n.channel_id, (n.status = 'SUCCESS') DESC, n.seq DESC`,
    [ids],
  )
  return rows
}

/** Episodes as the API returns them. */
export async function toEpisodes(
  client: Queryable,
  rows: readonly EpisodeRow[],
  nowMs: number,
): Promise<CheckEpisode[]> {
  const notified = await readNotified(
    client,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({
    ...shownEpisode(row, nowMs),
    notified: notified.filter((one) => one.episode_id === row.id).map(toNotified),
  }))
}

const shownEpisode = (row: EpisodeRow, nowMs: number): Omit<CheckEpisode, 'notified'> => ({
  id: row.id,
  state: row.state as CheckEpisode['state'],
  startedAt: row.began_at.toISOString(),
  endedAt: row.ended_at?.toISOString() ?? null,
  // The clock may have been set back since it began.
  durationMs: Math.max(0, (row.ended_at?.getTime() ?? nowMs) - row.began_at.getTime()),
  cause: row.cause,
  resultId: row.result_id,
  acknowledgedBy: row.acknowledged_by,
  acknowledgedAt: row.acknowledged_at?.toISOString() ?? null,
})

const toNotified = ({ channel_id, type, status, config }: NotifiedRow): NotifiedChannel => {
  const name = [config['name'], config['address'], config['url']].find(
    (text) => typeof text === 'string' && text !== '',
  )
  return { channelId: channel_id, type, name: typeof name === 'string' ? name : `channel ${channel_id}`, status }
}
