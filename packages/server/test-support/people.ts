import type { MemberRole } from '@vedette/wire'
import { roleOfMember } from '@vedette/wire'
import { randomBytes, randomUUID } from 'node:crypto'
import { hashSecret } from '../src/access/secret-token.ts'
import type { Database } from '../src/db/database.ts'
import { testBaseUrl } from './http.ts'

export interface Person {
  userId: string
  email: string
  /** Headers of a request from the person's browser, signed in to the account. */
  headers: Record<string, string>
}

/** A member of the account with this role and a session. */
export async function givenMember(
  db: Database,
  accountId: string,
  role: MemberRole,
  { email, at = new Date() }: { email?: string; at?: Date } = {},
): Promise<Person> {
  const userId = randomUUID()
  const address = email ?? `${userId}@example.test`
  await db.pool.query(`INSERT INTO users (id, email, name, created_at) VALUES ($1, $2, $3, $4)`, [
    userId,
    address,
    `Person ${userId.slice(0, 4)}`,
    at,
  ])
  await addToAccount(db, accountId, { userId, role, at })
  const token = randomBytes(24).toString('base64url')
  await db.pool.query(
    `INSERT INTO web_sessions (hash, user_id, account_id, created_at, expires_at)
     VALUES ($1, $2, $3, now(), now() + interval '1 hour')`,
    [hashSecret(token), userId, accountId],
  )
  return { userId, email: address, headers: browserHeaders(`vedette_session=${token}`) }
}

export async function addToAccount(
  db: Database,
  accountId: string,
  { userId, role, at = new Date() }: { userId: string; role: MemberRole; at?: Date },
): Promise<void> {
  await db.pool.query(
    `INSERT INTO memberships (account_id, user_id, role, owner, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)`,
    [accountId, userId, roleOfMember(role), role === 'OWNER', at],
  )
}

/** What a browser on a page of the server sends. */
export const browserHeaders = (cookie?: string): Record<string, string> => ({
  origin: testBaseUrl,
  host: new URL(testBaseUrl).host,
  ...(cookie !== undefined && { cookie }),
})

/** The cookie that an answer sets, as the browser sends it back. */
export const cookieOf = (answer: { headers: Record<string, unknown> }): string =>
  String([answer.headers['set-cookie']].flat()[0]).split(';')[0] ?? ''
