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

/** Deletes expired sessions and sign-in links. */
export async function deleteExpiredSignIns(db: Database, now: Date): Promise<void> {
  await db.pool.query('DELETE FROM web_sessions WHERE expires_at < $1', [now])
  await db.pool.query('DELETE FROM sign_in_links WHERE expires_at < $1', [now])
}
