import type { AgentKeyKind } from '@vedette/wire'
import type { Queryable } from '../db/database.ts'

export interface AgentKey {
  id: string
  kind: AgentKeyKind
  /** Set for private locations only: data-center locations belong to the installation. */
  accountId: string | null
  location: string
  masked: string
  createdAt: number
}

interface KeyRow {
  id: string
  kind: AgentKeyKind
  account_id: string | null
  location: string
  masked: string
  created_at: Date
  hash: Buffer
}

const toKey = (row: KeyRow): AgentKey => ({
  id: row.id,
  kind: row.kind,
  accountId: row.account_id,
  location: row.location,
  masked: row.masked,
  createdAt: row.created_at.getTime(),
})

/** Every key in force with its hash, in hex. There are as many as locations, not as agents. */
export async function readAgentKeys(db: Queryable): Promise<{ hash: string; key: AgentKey }[]> {
  const { rows } = await db.query<KeyRow>('SELECT * FROM agent_keys WHERE revoked_at IS NULL ORDER BY created_at, id')
  return rows.map((row) => ({ hash: Buffer.from(row.hash).toString('hex'), key: toKey(row) }))
}

export async function insertAgentKey(db: Queryable, key: AgentKey, hash: Buffer): Promise<void> {
  await db.query(
    `INSERT INTO agent_keys (id, kind, account_id, location, hash, masked, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [key.id, key.kind, key.accountId, key.location, hash, key.masked, new Date(key.createdAt)],
  )
}

/** Gives the built-in agent of a process a new secret under its old id. Undefined when it has no row yet. */
export async function rotateBuiltinKey(
  db: Queryable,
  instance: string,
  secret: { hash: Buffer; masked: string },
): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>(
    `UPDATE agent_keys SET hash = $2, masked = $3
     WHERE kind = 'builtin' AND location = $1 AND revoked_at IS NULL RETURNING id`,
    [instance, secret.hash, secret.masked],
  )
  return rows[0]?.id
}

/** False when there is no such data-center key in force. */
export async function revokeDataCenterKey(db: Queryable, id: string, nowMs: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE agent_keys SET revoked_at = $2 WHERE id = $1 AND kind = 'data-center' AND revoked_at IS NULL`,
    [id, new Date(nowMs)],
  )
  return rowCount === 1
}

export interface RevisionRow {
  check_id: string
  revision: number
  name: string
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

export interface VariableRow {
  key: string
  value: string
  secret: boolean
}

export async function readVariables(db: Queryable, accountId: string): Promise<VariableRow[]> {
  const { rows } = await db.query<VariableRow>(
    'SELECT key, value, secret FROM variables WHERE account_id = $1 ORDER BY key',
    [accountId],
  )
  return rows
}
