import { isoTime } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import type { CheckEpisodesRow } from '../../db/rows.ts'
import type { Episode, Episodes, EpisodeState } from './episode.ts'

/** SQL: the episode `e` that lasts, of the check with this id. At most one row. */
export const openEpisodeOf = (checkId: string): string =>
  `LATERAL (SELECT id, state, acknowledged_by, acknowledged_at FROM check_episodes
     WHERE check_id = ${checkId} AND ended_at IS NULL LIMIT 1) e ON true`

/** The columns of an open episode beside others. */
export const openEpisodeColumns = `e.id AS episode_id, e.state AS episode_state,
  e.acknowledged_by, e.acknowledged_at`

export interface OpenEpisodeColumns extends Pick<CheckEpisodesRow, 'acknowledged_by' | 'acknowledged_at'> {
  episode_id: string | null
  episode_state: EpisodeState | null
}

export function toOpenEpisode(row: OpenEpisodeColumns): Episode | undefined {
  const { episode_id: id, episode_state: state, acknowledged_by: by, acknowledged_at: at } = row
  if (id === null || state === null) return undefined
  return { id, state, acknowledged: by === null || at === null ? null : { by, at } }
}

export interface ChangedEpisodes extends Episodes {
  accountId: string
  checkId: string
}

/**
 * Writes what changed, nothing for results that change no state. What was stored under a time that the clock was set back
 * from began before its end. A check that was switched off meanwhile begins no episode: its row is held until the end of
 * the transaction, so call it last, and hold the rows of these checks before, in the order of their ids: who switches
 * checks off holds them first, and ends their episodes then.
 */
export async function writeEpisodes(client: Queryable, all: readonly ChangedEpisodes[]): Promise<void> {
  const ended = all.flatMap((one) => one.ended)
  if (ended.length > 0)
    await client.query(
      `UPDATE check_episodes e
       SET ended_at = r.ended_at, began_at = LEAST(e.began_at, r.ended_at - interval '1 millisecond')
       FROM json_to_recordset($1::json) AS r(id uuid, ended_at timestamptz) WHERE e.id = r.id AND e.ended_at IS NULL`,
      [JSON.stringify(ended.map(({ id, at }) => ({ id, ended_at: isoTime(at) })))],
    )
  const begun = all.flatMap(({ accountId, checkId, ...one }) =>
    one.begun.map((episode, nr) => ({ accountId, checkId, nr, ...episode })),
  )
  if (begun.length === 0) return
  await client.query(
    `INSERT INTO check_episodes (id, account_id, check_id, state, began_at, ended_at, cause, result_id, acknowledged_by,
       acknowledged_at)
     SELECT r.id, r.account_id, r.check_id, r.state, r.began_at, r.ended_at, r.cause, r.result_id, r.acknowledged_by,
       r.acknowledged_at
     FROM json_to_recordset($1::json) AS r(id uuid, account_id uuid, check_id uuid, state text, began_at timestamptz,
       ended_at timestamptz, cause text, result_id uuid, acknowledged_by text, acknowledged_at timestamptz, nr int)
     JOIN checks c ON c.account_id = r.account_id AND c.id = r.check_id AND c.activated AND c.not_runnable IS NULL
       AND c.deleted_at IS NULL
     ORDER BY r.check_id, r.nr FOR KEY SHARE OF c ON CONFLICT DO NOTHING`,
    [JSON.stringify(begun.map(episodeRecord))],
  )
}

type Begun = ChangedEpisodes['begun'][number] & Pick<ChangedEpisodes, 'accountId' | 'checkId'> & { nr: number }

const episodeRecord = (episode: Begun) => ({
  id: episode.id,
  account_id: episode.accountId,
  check_id: episode.checkId,
  state: episode.state,
  began_at: isoTime(episode.beganAt),
  ended_at: isoTime(episode.endedAt),
  cause: episode.cause,
  result_id: episode.resultId,
  acknowledged_by: episode.acknowledged?.by ?? null,
  acknowledged_at: episode.acknowledged?.at.toISOString() ?? null,
  nr: episode.nr,
})

/** Ends what lasts of these checks, because they are not watched any more. */
export async function endEpisodes(client: Queryable, checkIds: readonly string[], at: Date): Promise<void> {
  await client.query(
    `UPDATE check_episodes SET ended_at = $2, began_at = LEAST(began_at, $2::timestamptz - interval '1 millisecond')
     WHERE check_id = ANY($1::uuid[]) AND ended_at IS NULL`,
    [checkIds, at],
  )
}

/** Goes on with what lasted of checks when each was deleted. */
export async function continueEpisodes(
  client: Queryable,
  checks: readonly { id: string; deletedAt: Date }[],
): Promise<void> {
  await client.query(
    `UPDATE check_episodes e SET ended_at = NULL
     FROM json_to_recordset($1::json) AS r (id uuid, "deletedAt" timestamptz) JOIN check_status s ON s.check_id = r.id
     WHERE e.check_id = r.id AND e.ended_at = r."deletedAt" AND s.state = e.state`,
    [JSON.stringify(checks)],
  )
}
