import type { Database } from '../db/database.ts'

/** Rejects when the database does not answer. */
export async function askDatabase(db: Database): Promise<void> {
  await db.pool.query('SELECT 1')
}

/** Deletes expired sessions and sign-in links. */
export async function deleteExpiredSignIns(db: Database, now: Date): Promise<void> {
  await db.pool.query('DELETE FROM web_sessions WHERE expires_at < $1', [now])
  await db.pool.query('DELETE FROM sign_in_links WHERE expires_at < $1', [now])
}
