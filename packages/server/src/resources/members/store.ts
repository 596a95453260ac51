import {
  memberRoleOf,
  roleOfMember,
  type AccountInvite,
  type AccountMember,
  type MemberRole,
  type MemberStatus,
  type Role,
} from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import type { InvitesRow, MembershipsRow, UsersRow } from '../../db/rows.ts'
import type { Place } from './cursor.ts'

export interface MemberFilter {
  account: string
  search: string | undefined
  type: 'member' | 'invite' | undefined
  role: MemberRole | undefined
  status: MemberStatus | undefined
}

type MemberRow = Pick<MembershipsRow, 'owner' | 'created_at' | 'updated_at'> &
  Pick<UsersRow, 'id' | 'email' | 'name'> & { type: 'member'; role: Role; mfa: boolean; sso: boolean }
type InviteRow = Pick<InvitesRow, 'id' | 'email' | 'inviter' | 'created_at' | 'updated_at' | 'expires_at'> & {
  type: 'invite'
  role: Role
}

const memberColumns = `'member' AS type, u.id, u.email, u.name, m.role, m.owner, m.created_at, m.updated_at,
  NULL::text AS inviter, NULL::timestamptz AS expires_at, u.totp_since IS NOT NULL AS mfa,
  EXISTS (SELECT FROM identities i WHERE i.user_id = u.id) AS sso`
const inviteColumns = `'invite' AS type, v.id, v.email, NULL::text AS name, v.role, false AS owner, v.created_at, v.updated_at,
  v.inviter, v.expires_at, false AS mfa, false AS sso`

/** SQL over `memberships m JOIN users u`: the members of the account $1 that the filter lets through. */
const membersOf = `memberships m JOIN users u ON u.id = m.user_id
  WHERE m.account_id = $1 AND (m.created_at, m.user_id) > ($2, $3)
    AND ($4::text IS NULL OR strpos(lower(u.email), lower($4)) > 0 OR strpos(lower(u.name), lower($4)) > 0)
    AND coalesce($5, 'member') = 'member' AND coalesce($6, 'ACTIVE') = 'ACTIVE'
    AND ($7::text IS NULL OR m.role = $7) AND ($8::boolean IS NULL OR m.owner = $8)`
const invitesOf = `invites v
  WHERE v.account_id = $1 AND (v.created_at, v.id) > ($2, $3)
    AND ($4::text IS NULL OR strpos(lower(v.email), lower($4)) > 0)
    AND coalesce($5, 'invite') = 'invite'
    AND coalesce($6, CASE WHEN v.expires_at > $9 THEN 'PENDING' ELSE 'EXPIRED' END)
      = CASE WHEN v.expires_at > $9 THEN 'PENDING' ELSE 'EXPIRED' END
    AND ($7::text IS NULL OR v.role = $7) AND $8 IS NOT TRUE`

const start: Place = { at: new Date(0), id: '00000000-0000-0000-0000-000000000000' }

/** Members and invitations after a place, the longest known first. */
export async function listMembers(
  client: Queryable,
  filter: MemberFilter,
  { after = start, limit, now }: { after: Place | undefined; limit: number; now: Date },
): Promise<{ entry: AccountMember | AccountInvite; place: Place }[]> {
  const { account, search = null, type = null, status = null, role } = filter
  const { rows } = await client.query<MemberRow | InviteRow>(
    `SELECT * FROM (
       (SELECT ${memberColumns} FROM ${membersOf} ORDER BY m.created_at, m.user_id LIMIT $10)
       UNION ALL (SELECT ${inviteColumns} FROM ${invitesOf} ORDER BY v.created_at, v.id LIMIT $10)
     ) AS entries ORDER BY created_at, id LIMIT $10`,
    [
      account,
      after.at,
      after.id,
      search,
      type,
      status,
      role === undefined ? null : roleOfMember(role),
      role === 'OWNER' ? true : role === 'ADMIN' ? false : null,
      now,
      limit,
    ],
  )
  return rows.map((row) => ({
    entry: row.type === 'member' ? toMember(account, row) : toInvite(account, row, now),
    place: { at: row.created_at, id: row.id },
  }))
}

const toMember = (accountId: string, row: MemberRow): AccountMember => ({
  type: 'member',
  accountId,
  userId: row.id,
  name: row.name,
  email: row.email,
  role: row.owner ? 'OWNER' : memberRoleOf(row.role),
  status: 'ACTIVE',
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  isSupportMembership: false,
  ssoEnabled: row.sso,
  mfaEnabled: row.mfa,
})

export const toInvite = (accountId: string, row: Omit<InviteRow, 'type'>, now: Date): AccountInvite => ({
  type: 'invite',
  id: row.id,
  accountId,
  email: row.email,
  role: memberRoleOf(row.role),
  status: row.expires_at > now ? 'PENDING' : 'EXPIRED',
  inviterEmail: row.inviter,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
})

/** Locks who belongs to the account until the end of the transaction: of two changes, the second sees the first. */
export const lockMembers = (client: Queryable, account: string): Promise<unknown> =>
  client.query('SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [account])

export async function readMember(
  client: Queryable,
  account: string,
  userId: string,
): Promise<AccountMember | undefined> {
  const { rows } = await client.query<MemberRow>(
    `SELECT ${memberColumns} FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.account_id = $1 AND u.id = $2`,
    [account, userId],
  )
  return rows[0] && toMember(account, rows[0])
}

export interface Leaders {
  owners: number
  admins: number
  /** Whether the actor of a change is an owner. */
  isOwner: boolean
}

/** How many may lead the account. Owners are admins too. */
export async function readLeaders(client: Queryable, account: string, actor: string): Promise<Leaders> {
  const { rows } = await client.query<Leaders>(
    `SELECT count(*) FILTER (WHERE owner)::int AS owners, count(*)::int AS admins,
       coalesce(bool_or(owner AND 'user:' || user_id = $2), false) AS "isOwner"
     FROM memberships WHERE account_id = $1 AND role = 'admin'`,
    [account, actor],
  )
  return rows[0] ?? { owners: 0, admins: 0, isOwner: false }
}

export async function setRole(
  client: Queryable,
  account: string,
  { userId, role, at }: { userId: string; role: MemberRole; at: Date },
): Promise<void> {
  await client.query(
    'UPDATE memberships SET role = $3, owner = $4, updated_at = $5 WHERE account_id = $1 AND user_id = $2',
    [account, userId, roleOfMember(role), role === 'OWNER', at],
  )
}

/** Takes the member out, with the sessions, links and keys that led into this account. */
export async function removeMember(client: Queryable, account: string, userId: string, at: Date): Promise<void> {
  await client.query('DELETE FROM memberships WHERE account_id = $1 AND user_id = $2', [account, userId])
  const there = [account, userId, at]
  await client.query(
    'UPDATE web_sessions SET revoked_at = $3 WHERE account_id = $1 AND user_id = $2 AND revoked_at IS NULL',
    there,
  )
  await client.query(
    'UPDATE sign_in_links SET used_at = $3 WHERE account_id = $1 AND user_id = $2 AND used_at IS NULL',
    there,
  )
  await client.query(
    'UPDATE api_keys SET revoked_at = $3 WHERE account_id = $1 AND user_id = $2 AND revoked_at IS NULL',
    there,
  )
}
