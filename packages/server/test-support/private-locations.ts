import { randomUUID } from 'node:crypto'
import { privateLocationId, type PrivateLocationId } from '@vedette/wire'
import { insertAgentKey } from '../src/agents/store.ts'
import type { Database } from '../src/db/database.ts'
import { mintToken } from '../src/access/secret-token.ts'

/** A private location of the account. */
export async function givenPrivateLocation(db: Database, accountId: string, slug: string): Promise<PrivateLocationId> {
  const id = randomUUID()
  await db.pool.query(
    'INSERT INTO private_locations (id, account_id, slug, name, created_at) VALUES ($1, $2, $3, $4, now())',
    [id, accountId, slug, `The ${slug}`],
  )
  return privateLocationId(id)
}

/** Soft-deletes it, as its owner does. */
export const deletePrivateLocation = (db: Database, id: PrivateLocationId) =>
  db.pool.query(`UPDATE private_locations SET deleted_at = now() WHERE 'pl_' || id = $1`, [id])

/** A key for agents of a private location. Returns the key itself. */
export async function givenPrivateKey(
  db: Database,
  of: { accountId: string; location: PrivateLocationId; slug: string },
): Promise<string> {
  const { raw, hash, masked } = mintToken('vdl_')
  await insertAgentKey(
    db.pool,
    { id: randomUUID(), kind: 'private', masked, createdAt: Date.now(), proxy: null, ...of },
    hash,
  )
  return raw
}
