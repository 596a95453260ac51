import type { Database } from '../db/database.ts'

/** Rejects when the database does not answer. */
export async function askDatabase(db: Database): Promise<void> {
  await db.pool.query('SELECT 1')
}

const eventBatch = 1000

/**
 * Deletes events of passive checks from before that time, except the newest of each check: deadlines are counted from
 * it.
 */
export async function deleteExpiredEvents(db: Database, before: Date): Promise<void> {
  for (let deleted = eventBatch; deleted === eventBatch;) {
    const { rowCount } = await db.pool.query(
      `DELETE FROM check_events WHERE id IN (
         SELECT e.id FROM check_events e WHERE e.at < $1
           AND EXISTS (SELECT 1 FROM check_events n WHERE n.check_id = e.check_id AND n.at > e.at)
         LIMIT ${eventBatch})`,
      [before],
    )
    deleted = rowCount ?? 0
  }
}

/**
 * Deletes samples of private locations from before a time, and forgets agents that were last heard of before another, except
 * the last one of each location.
 */
export async function deleteOldSamples(db: Database, before: { samples: Date; agents: Date }): Promise<void> {
  await db.pool.query(
    `DELETE FROM private_location_samples s USING private_locations p WHERE s.location_id = p.id AND s.at < $1`,
    [before.samples],
  )
  await db.pool.query(
    `DELETE FROM private_location_agents a WHERE last_seen_at < $1 AND EXISTS (
       SELECT 1 FROM private_location_agents n WHERE n.location_id = a.location_id
         AND (n.last_seen_at, n.agent_id) > (a.last_seen_at, a.agent_id))`,
    [before.agents],
  )
}

/** Deletes check sessions from before that time. */
export async function deleteOldSessions(db: Database, before: Date): Promise<void> {
  await db.pool.query('DELETE FROM check_sessions WHERE created_at < $1', [before])
}

/** Deletes expired sessions, sign-in links and what takes changes back. */
export async function deleteExpiredSignIns(db: Database, now: Date): Promise<void> {
  await db.pool.query('DELETE FROM web_sessions WHERE expires_at < $1', [now])
  await db.pool.query('DELETE FROM sign_in_links WHERE expires_at < $1', [now])
  await db.pool.query('DELETE FROM bulk_undos WHERE expires_at < $1', [now])
}

/** Deletes for good what was deleted before that time and is not kept for the ledger: secrets, triggers and subscriptions. */
export async function purgeDeleted(db: Database, before: Date): Promise<void> {
  await db.pool.query('DELETE FROM variables WHERE deleted_at <= $1', [before])
  await db.pool.query('DELETE FROM client_certificates WHERE deleted_at <= $1', [before])
  await db.pool.query(`UPDATE alert_channels SET secrets = '{}' WHERE deleted_at <= $1 AND secrets <> '{}'::jsonb`, [
    before,
  ])
  await db.pool.query(`UPDATE private_locations SET secrets = '{}' WHERE deleted_at <= $1 AND secrets <> '{}'::jsonb`, [
    before,
  ])
  await db.pool.query(
    `UPDATE check_revisions r SET secrets = '{}' FROM checks c
     WHERE c.id = r.check_id AND c.deleted_at <= $1 AND r.secrets <> '{}'::jsonb`,
    [before],
  )
  await db.pool.query(`UPDATE checks SET secrets = '{}' WHERE deleted_at <= $1 AND secrets <> '{}'::jsonb`, [before])
  await db.pool.query(
    `DELETE FROM alert_subscriptions s USING checks c WHERE c.id = s.check_id AND c.deleted_at <= $1`,
    [before],
  )
  await db.pool.query(
    `DELETE FROM alert_subscriptions s USING alert_channels ch WHERE ch.id = s.channel_id AND ch.deleted_at <= $1`,
    [before],
  )
  for (const side of ['check_id', 'parent_id'])
    await db.pool.query(`DELETE FROM check_parents p USING checks c WHERE c.id = p.${side} AND c.deleted_at <= $1`, [
      before,
    ])
  await db.pool.query(
    `DELETE FROM check_parted_channels p USING checks c WHERE c.id = p.check_id AND c.deleted_at <= $1`,
    [before],
  )
  await db.pool.query(`DELETE FROM check_triggers t USING checks c WHERE c.id = t.check_id AND c.deleted_at <= $1`, [
    before,
  ])
}
