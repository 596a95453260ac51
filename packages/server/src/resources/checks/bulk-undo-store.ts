import type { Queryable } from '../../db/database.ts'
import type { BulkUndosRow } from '../../db/rows.ts'
import type { UndoPart } from './verbs/undo-of-changes.ts'

interface OfToken {
  account: string
  hash: Buffer
}

/** Adds to what the token takes back. */
export async function keepBulkUndo(
  client: Queryable,
  { account, hash }: OfToken,
  { undo, expiresAt }: { undo: readonly UndoPart[]; expiresAt: Date },
): Promise<void> {
  if (undo.length === 0) return
  await client.query(
    `INSERT INTO bulk_undos AS b (hash, account_id, undo, expires_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (hash) DO UPDATE SET undo = b.undo || excluded.undo`,
    [hash, account, JSON.stringify(undo), expiresAt],
  )
}

/** What the token takes back. Undefined when there is no such token, or it is too old. */
export async function readBulkUndo(
  client: Queryable,
  { account, hash }: OfToken,
  now: Date,
): Promise<UndoPart[] | undefined> {
  const { rows } = await client.query<Pick<BulkUndosRow, 'undo'>>(
    'SELECT undo FROM bulk_undos WHERE hash = $1 AND account_id = $2 AND expires_at > $3',
    [hash, account, now],
  )
  return rows[0]?.undo as UndoPart[] | undefined
}

/** Returns false when it is gone already. */
export async function deleteBulkUndo(client: Queryable, { account, hash }: OfToken): Promise<boolean> {
  const { rowCount } = await client.query('DELETE FROM bulk_undos WHERE hash = $1 AND account_id = $2', [hash, account])
  return rowCount === 1
}
