import type { BulkOutcome } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import type { BulkUndosRow } from '../../db/rows.ts'

interface OfToken {
  account: string
  hash: Buffer
}

export async function insertBulkUndo(
  client: Queryable,
  { account, hash }: OfToken,
  { undo, expiresAt }: { undo: BulkOutcome['undo']; expiresAt: Date },
): Promise<void> {
  await client.query('INSERT INTO bulk_undos (hash, account_id, undo, expires_at) VALUES ($1, $2, $3, $4)', [
    hash,
    account,
    JSON.stringify(undo),
    expiresAt,
  ])
}

/** What the token takes back, which it does once. Undefined when there is no such token, or it is too old. */
export async function takeBulkUndo(
  client: Queryable,
  { account, hash }: OfToken,
  now: Date,
): Promise<BulkOutcome['undo'] | undefined> {
  const { rows } = await client.query<Pick<BulkUndosRow, 'undo'>>(
    'DELETE FROM bulk_undos WHERE hash = $1 AND account_id = $2 AND expires_at > $3 RETURNING undo',
    [hash, account, now],
  )
  return rows[0]?.undo as BulkOutcome['undo'] | undefined
}
