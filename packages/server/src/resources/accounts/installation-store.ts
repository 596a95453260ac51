import { defaultAlertSettings, locations, type InstallationAccount } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import { ofUsers, operatorAccountSql } from '../../db/operator-store.ts'
import type { AccountsRow } from '../../db/rows.ts'

type Row = Pick<AccountsRow, 'id' | 'name' | 'suspended_at' | 'suspended_because' | 'created_at'> & {
  members: number
  checks: number
}

const columns = `a.id, a.name, a.suspended_at, a.suspended_because, a.created_at,
  (SELECT count(*)::int FROM memberships m WHERE m.account_id = a.id) AS members,
  (SELECT count(*)::int FROM checks c WHERE c.account_id = a.id AND c.deleted_at IS NULL) AS checks`

const toAccount = (row: Row): InstallationAccount => ({
  id: row.id,
  name: row.name,
  members: row.members,
  checks: row.checks,
  suspendedAt: row.suspended_at?.toISOString() ?? null,
  suspendedBecause: row.suspended_because,
  created_at: row.created_at.toISOString(),
})

/** Every account of the installation, the oldest first. */
export async function listAllAccounts(client: Queryable, page: { limit: number; offset: number }) {
  const { rows } = await client.query<Row>(
    `SELECT ${columns} FROM accounts a WHERE ${ofUsers('a')} ORDER BY a.created_at, a.id LIMIT $1 OFFSET $2`,
    [page.limit, page.offset],
  )
  const count = await client.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM accounts a WHERE ${ofUsers('a')}`,
  )
  return { accounts: rows.map(toAccount), total: count.rows[0]?.total ?? 0 }
}

export async function lockAnyAccount(client: Queryable, id: string): Promise<InstallationAccount | undefined> {
  const { rows } = await client.query<Row>(
    `SELECT ${columns} FROM accounts a WHERE a.id = $1 AND ${ofUsers('a')} FOR NO KEY UPDATE OF a`,
    [id],
  )
  return rows[0] && toAccount(rows[0])
}

export async function isOperatorAccount(client: Queryable, id: string): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>(`SELECT $1::text = (${operatorAccountSql}) AS is`, [id])
  return rows[0]?.is === true
}

/** The location of checks without locations, until the account sets its own. */
const firstLocation = locations[6]

export async function insertAccount(
  client: Queryable,
  { id, name, at }: { id: string; name: string; at: Date },
): Promise<void> {
  await client.query(
    `INSERT INTO accounts (id, name, alert_settings, default_locations, created_at) VALUES ($1, $2, $3, $4, $5)`,
    [id, name, JSON.stringify(defaultAlertSettings), [firstLocation], at],
  )
}

/** Null resumes. */
export async function setSuspension(
  client: Queryable,
  id: string,
  suspension: { at: Date; because: string | null } | null,
): Promise<void> {
  await client.query('UPDATE accounts SET suspended_at = $2, suspended_because = $3 WHERE id = $1', [
    id,
    suspension?.at ?? null,
    suspension?.because ?? null,
  ])
}
