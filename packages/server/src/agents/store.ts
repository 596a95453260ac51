import {
  isPrivateLocation,
  isRegion,
  type AgentKeyKind,
  type Location,
  type PrivateLocationId,
  type RetryStrategy,
} from '@vedette/wire'
import type { Queryable } from '../db/database.ts'
import type { AgentKeysRow, CheckRevisionsRow } from '../db/rows.ts'

interface KeyFields {
  id: string
  masked: string
  createdAt: number
}

/** `builtin` serves every data-center location that has no key of its own. */
export type AgentKey = KeyFields &
  (
    | { kind: 'builtin'; accountId: null; /** Id of its server, which is the id of the key too. */ location: string }
    | { kind: 'data-center'; accountId: null; location: Location }
    | {
        kind: 'private'
        accountId: string
        location: PrivateLocationId
        /** Of the location. */
        slug: string
        /** Sealed address of the proxy of the location; null when it has none. */
        proxy: string | null
      }
  )

/** A valid key with its hash in hex. */
export interface StoredKey {
  hash: string
  key: AgentKey
  /** An agent has called with a key of its location, be it this one or an earlier one. */
  heard: boolean
}

interface KeyRow extends Pick<AgentKeysRow, 'id' | 'account_id' | 'location' | 'masked' | 'created_at' | 'hash'> {
  kind: AgentKeyKind
  slug: string | null
  proxy: string | null
  heard: boolean
}

/** Undefined for a key that serves nothing: its location does not exist, or belongs to another account. */
function toKey({ id, kind, masked, created_at, location, account_id, slug, proxy }: KeyRow): AgentKey | undefined {
  const fields = { id, masked, createdAt: created_at.getTime() }
  if (kind === 'builtin') return { ...fields, id: location, kind, accountId: null, location }
  if (kind === 'data-center') return isRegion(location) ? { ...fields, kind, accountId: null, location } : undefined
  if (account_id === null || slug === null || !isPrivateLocation(location)) return undefined
  return { ...fields, kind, accountId: account_id, location, slug, proxy }
}

/**
 * Every valid key. There is one for each location, not for each agent; the built-in agent of a
 * server may have several secrets.
 */
export async function readAgentKeys(db: Queryable): Promise<StoredKey[]> {
  const { rows } = await db.query<KeyRow>(
    `SELECT k.id, k.kind, k.account_id, k.location, k.masked, k.created_at, k.hash, p.slug, p.secrets->>'proxyUrl' AS proxy,
       EXISTS (SELECT 1 FROM agent_keys h WHERE h.location = k.location AND h.first_heard_at IS NOT NULL) AS heard
     FROM agent_keys k LEFT JOIN private_locations p
       ON p.account_id = k.account_id AND 'pl_' || p.id::text = k.location AND p.deleted_at IS NULL
     WHERE k.revoked_at IS NULL ORDER BY k.created_at, k.id`,
  )
  return rows.flatMap((row) => {
    const key = toKey(row)
    return key ? [{ hash: Buffer.from(row.hash).toString('hex'), key, heard: row.heard }] : []
  })
}

export async function insertAgentKey(db: Queryable, key: AgentKey, hash: Buffer): Promise<void> {
  await db.query(
    `INSERT INTO agent_keys (id, kind, account_id, location, hash, masked, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [key.id, key.kind, key.accountId, key.location, hash, key.masked, new Date(key.createdAt)],
  )
}

/** Stores a secret of the built-in agent of a server, and forgets all earlier ones but the newest `kept`. */
export async function insertBuiltinSecret(
  client: Queryable,
  secret: { id: string; server: string; hash: Buffer; masked: string; createdAt: number },
  kept: number,
): Promise<void> {
  await client.query(
    `DELETE FROM agent_keys WHERE kind = 'builtin' AND location = $1 AND id NOT IN (
       SELECT id FROM agent_keys WHERE kind = 'builtin' AND location = $1 ORDER BY created_at DESC, id LIMIT $2)`,
    [secret.server, kept],
  )
  await client.query(
    `INSERT INTO agent_keys (id, kind, location, hash, masked, created_at) VALUES ($1, 'builtin', $2, $3, $4, $5)`,
    [secret.id, secret.server, secret.hash, secret.masked, new Date(secret.createdAt)],
  )
}

/**
 * Gives the key of a built-in agent that was named by the data directory of its server the id of that server: the id of
 * the key itself, by which results are known that were leased before. Undefined when there is none of that name, or
 * another server was faster.
 */
export async function adoptBuiltinKey(db: Queryable, dataDir: string): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>(
    `UPDATE agent_keys SET location = id::text WHERE kind = 'builtin' AND location = $1 AND revoked_at IS NULL
     RETURNING id`,
    [dataDir],
  )
  return rows[0]?.id
}

/** Notes that an agent calls with the key for the first time. */
export async function noteFirstCall(db: Queryable, id: string, nowMs: number): Promise<void> {
  await db.query('UPDATE agent_keys SET first_heard_at = $2 WHERE id = $1 AND first_heard_at IS NULL', [
    id,
    new Date(nowMs),
  ])
}

/** False when there is no such valid data-center key. */
export async function revokeDataCenterKey(db: Queryable, id: string, nowMs: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE agent_keys SET revoked_at = $2 WHERE id = $1 AND kind = 'data-center' AND revoked_at IS NULL`,
    [id, new Date(nowMs)],
  )
  return rowCount === 1
}

export interface RevisionRow extends Pick<CheckRevisionsRow, 'check_id' | 'revision' | 'name'> {
  definition: Record<string, unknown>
  secrets: Record<string, string>
}

export async function readRevisionsToRun(
  db: Queryable,
  keys: readonly { checkId: string; revision: number }[],
): Promise<RevisionRow[]> {
  const { rows } = await db.query<RevisionRow>(
    `SELECT r.check_id, r.revision, r.name, r.definition, r.secrets
     FROM json_to_recordset($1::json) AS k("checkId" uuid, revision int)
     JOIN check_revisions r ON r.check_id = k."checkId" AND r.revision = k.revision`,
    [JSON.stringify(keys.map(({ checkId, revision }) => ({ checkId, revision })))],
  )
  return rows
}

/** How failed runs of these checks are retried: their settings in force. */
export async function readRetryStrategies(
  db: Queryable,
  checkIds: readonly string[],
): Promise<ReadonlyMap<string, RetryStrategy | null>> {
  const { rows } = await db.query<{ id: string; strategy: RetryStrategy | null }>(
    `SELECT id, effective->'retryStrategy' AS strategy FROM checks WHERE id = ANY($1::uuid[])`,
    [checkIds],
  )
  return new Map(rows.map(({ id, strategy }) => [id, strategy]))
}
