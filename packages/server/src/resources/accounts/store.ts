import { completeAlertSettings, type Account, type AlertSettings } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import type { AccountsRow } from '../../db/rows.ts'

const columns = ['id', 'name', 'alert_settings', 'default_locations', 'created_at', 'updated_at'] as const
const columnList = columns.join(', ')
type AccountRow = Pick<AccountsRow, (typeof columns)[number]> & { alert_settings: Record<string, unknown> }

const toAccount = (row: AccountRow): Account => ({
  id: row.id,
  name: row.name,
  alertSettings: completeAlertSettings(row.alert_settings),
  defaultLocations: row.default_locations,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at?.toISOString() ?? null,
})

/** The caller's account; for a signed-in user all accounts they belong to. */
export async function listAccounts(
  client: Queryable,
  caller: { accountId: string; userId?: string },
): Promise<Account[]> {
  const { rows } = await client.query<AccountRow>(
    `SELECT ${columnList} FROM accounts
     WHERE id IN (SELECT $1::uuid UNION ALL SELECT account_id FROM memberships WHERE user_id = $2::uuid)
     ORDER BY name, id`,
    [caller.accountId, caller.userId ?? null],
  )
  return rows.map(toAccount)
}

export async function lockAccount(client: Queryable, accountId: string): Promise<Account | undefined> {
  const { rows } = await client.query<AccountRow>(
    `SELECT ${columnList} FROM accounts WHERE id = $1 FOR NO KEY UPDATE`,
    [accountId],
  )
  return rows[0] && toAccount(rows[0])
}

export async function updateAccount(
  client: Queryable,
  accountId: string,
  change: { name?: string; alertSettings?: AlertSettings; defaultLocations?: string[]; at: Date },
): Promise<Account | undefined> {
  const { rows } = await client.query<AccountRow>(
    `UPDATE accounts SET name = coalesce($2, name), alert_settings = coalesce($3::jsonb, alert_settings),
       default_locations = coalesce($4::text[], default_locations), updated_at = $5
     WHERE id = $1 RETURNING ${columnList}`,
    [
      accountId,
      change.name ?? null,
      change.alertSettings ? JSON.stringify(change.alertSettings) : null,
      change.defaultLocations ?? null,
      change.at,
    ],
  )
  return rows[0] && toAccount(rows[0])
}
