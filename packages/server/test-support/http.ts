import { randomBytes, randomUUID } from 'node:crypto'
import type { Role } from '@vedette/wire'
import { systemClock } from '@vedette/wire'
import type { Database } from '../src/db/database.ts'
import { hashSecret } from '../src/access/secret-token.ts'
import { buildHttp, type App, type HttpOptions } from '../src/http/build-http.ts'
import { compareAnswers } from './documented-answers.ts'

export const testBaseUrl = 'http://127.0.0.1:8080'

/**
 * A server with the given routes, ready for `inject`. Limits are not reached unless a test sets them, and it counts
 * requests alone: other tests on the database have the same callers.
 */
export async function openTestHttp(
  db: Database,
  register: (app: App) => void,
  options: Partial<HttpOptions> = {},
): Promise<App> {
  const app = await buildHttp({
    db: { ...db, peers: undefined },
    clock: systemClock,
    baseUrl: () => testBaseUrl,
    rateLimit: { max: 100_000, windowSeconds: 60, ofRoutes: false },
    ...options,
  })
  compareAnswers(app)
  register(app)
  await app.ready()
  return app
}

/** A key of the account with this role. Returns the raw key. */
export async function givenKey(db: Database, accountId: string, role: Role): Promise<string> {
  const raw = `vdk_${randomBytes(24).toString('base64url')}`
  await db.pool.query(
    `INSERT INTO api_keys (id, account_id, name, role, hash, masked, created_at) VALUES ($1, $2, $3, $4, $5, $6, now())`,
    [randomUUID(), accountId, `${role} key`, role, hashSecret(raw), `…${raw.slice(-4)}`],
  )
  return raw
}

/** A user who belongs to the accounts, signed in by a browser session to the first. Returns the cookie header. */
export async function givenSession(
  db: Database,
  memberships: readonly { accountId: string; role: Role }[],
): Promise<string> {
  const userId = randomUUID()
  const token = randomBytes(24).toString('base64url')
  await db.pool.query(`INSERT INTO users (id, email, name, created_at) VALUES ($1, $2, 'A user', now())`, [
    userId,
    `${userId}@example.test`,
  ])
  for (const { accountId, role } of memberships) {
    await db.pool.query('INSERT INTO memberships (account_id, user_id, role) VALUES ($1, $2, $3)', [
      accountId,
      userId,
      role,
    ])
  }
  await db.pool.query(
    `INSERT INTO web_sessions (hash, user_id, account_id, created_at, expires_at)
     VALUES ($1, $2, $3, now(), now() + interval '1 hour')`,
    [hashSecret(token), userId, memberships[0]?.accountId],
  )
  return `vedette_session=${token}`
}
