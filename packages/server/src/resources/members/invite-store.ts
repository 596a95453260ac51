import type { AccountInvite, Role } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import type { InvitesRow } from '../../db/rows.ts'
import { toInvite } from './store.ts'

const columns = ['id', 'email', 'inviter', 'created_at', 'updated_at', 'expires_at'] as const
const columnList = [...columns, 'role'].join(', ')
type InviteRow = Pick<InvitesRow, (typeof columns)[number]> & { role: Role }

export interface NewInvite {
  id: string
  email: string
  role: Role
  hash: Buffer
  inviter: string
  at: Date
  expiresAt: Date
}

export async function isMember(client: Queryable, account: string, email: string): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.account_id = $1 AND lower(u.email) = lower($2)`,
    [account, email],
  )
  return rows.length > 0
}

/** Takes the place of an invitation that has expired. Undefined while one to the same address is pending. */
export async function insertInvite(
  client: Queryable,
  account: string,
  invite: NewInvite,
): Promise<AccountInvite | undefined> {
  await client.query('DELETE FROM invites WHERE account_id = $1 AND lower(email) = lower($2) AND expires_at <= $3', [
    account,
    invite.email,
    invite.at,
  ])
  const { rows } = await client.query<InviteRow>(
    `INSERT INTO invites (id, account_id, email, role, hash, inviter, created_at, updated_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $8) ON CONFLICT (account_id, lower(email)) DO NOTHING RETURNING ${columnList}`,
    [invite.id, account, invite.email, invite.role, invite.hash, invite.inviter, invite.at, invite.expiresAt],
  )
  return rows[0] && toInvite(account, rows[0], invite.at)
}

/** The invitation that was taken back; undefined when the account has none with this id. */
export async function deleteInvite(
  client: Queryable,
  account: string,
  id: string,
  now: Date,
): Promise<AccountInvite | undefined> {
  const { rows } = await client.query<InviteRow>(
    `DELETE FROM invites WHERE account_id = $1 AND id = $2 RETURNING ${columnList}`,
    [account, id],
  )
  return rows[0] && toInvite(account, rows[0], now)
}

export async function nameOfAccount(client: Queryable, account: string): Promise<string> {
  const { rows } = await client.query<{ name: string }>('SELECT name FROM accounts WHERE id = $1', [account])
  return rows[0]?.name ?? ''
}
