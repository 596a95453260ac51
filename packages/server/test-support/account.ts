import { randomUUID } from 'node:crypto'
import { defaultAlertSettings } from '@vedette/wire'
import type { Database } from '../src/db/database.ts'
import { resolveChecks } from '../src/settings/store.ts'

/** Stores the settings in force of the account's checks, as a change of account or check does. */
export const resolveSettings = async (db: Database, accountId: string): Promise<string[]> =>
  (await resolveChecks(db.pool, { account: accountId, at: new Date() })).changed

/** Inserts an account with default alert settings and returns its id. */
export async function givenAccount(db: Database): Promise<string> {
  const id = randomUUID()
  await db.pool.query(
    `INSERT INTO accounts (id, name, alert_settings, default_locations, created_at) VALUES ($1, $2, $3, $4, now())`,
    [id, `Account ${id.slice(0, 8)}`, JSON.stringify(defaultAlertSettings), ['eu-central-1']],
  )
  return id
}
