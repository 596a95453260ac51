import type { AssetType } from '@vedette/wire'
import type { Database, Queryable } from '../db/database.ts'
import type { ResultAssetsRow } from '../db/rows.ts'

/** What is known of an asset. Its content is in the asset store. */
export interface Asset {
  name: string
  type: AssetType
  contentType: string
}

/** A result that has assets. */
export interface AssetOwner {
  accountId: string
  checkId: string
  resultId: string
  /** Of its run. */
  sequenceId: string
  dueAt: number
}

/** Notes an asset. One of that name that is there already stays. */
export async function insertAsset(
  db: Queryable,
  { accountId, checkId, resultId, sequenceId, dueAt }: AssetOwner,
  { name, type, contentType, bytes }: Asset & { bytes: number },
  nowMs: number,
): Promise<void> {
  await db.query(
    `INSERT INTO result_assets (result_id, name, account_id, check_id, sequence_id, due_at, type, content_type, bytes, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`,
    [resultId, name, accountId, checkId, sequenceId, new Date(dueAt), type, contentType, bytes, new Date(nowMs)],
  )
}

/** An asset and the result that it belongs to. */
export interface AssetOfResult extends Asset {
  resultId: string
}

/** The assets of a result, by name; after them those of other attempts, when the id of a run is given. */
export async function readAssets(
  db: Queryable,
  account: string,
  { resultId, sequenceId }: { resultId: string; sequenceId: string | null },
): Promise<AssetOfResult[]> {
  const { rows } = await db.query<Pick<ResultAssetsRow, 'result_id' | 'name' | 'type' | 'content_type'>>(
    `SELECT result_id, name, type, content_type FROM result_assets WHERE result_id = $1 AND account_id = $3
     UNION ALL
     SELECT result_id, name, type, content_type FROM result_assets
     WHERE sequence_id = $2 AND result_id <> $1 AND account_id = $3`,
    [resultId, sequenceId, account],
  )
  const rank = (row: { result_id: string; name: string }) => `${row.result_id === resultId ? 0 : 1} ${row.name}`
  return rows
    .toSorted((one, other) => rank(one).localeCompare(rank(other)))
    .map((row) => ({
      resultId: row.result_id,
      name: row.name,
      type: row.type as AssetType,
      contentType: row.content_type,
    }))
}

/** Bytes of all assets of an account. */
export async function bytesOfAssets(db: Queryable, account: string): Promise<number> {
  const { rows } = await db.query<{ bytes: number }>(
    'SELECT coalesce(sum(bytes), 0)::float8 AS bytes FROM result_assets WHERE account_id = $1',
    [account],
  )
  return rows[0]?.bytes ?? 0
}

const batch = 1000

/** Forgets the assets of results that were due before that time. */
export async function deleteAssetsBefore(db: Database, time: Date): Promise<void> {
  for (let deleted = batch; deleted === batch;) {
    const { rowCount } = await db.pool.query(
      `DELETE FROM result_assets WHERE (result_id, name) IN (
         SELECT result_id, name FROM result_assets WHERE due_at < $1 LIMIT ${batch})`,
      [time],
    )
    deleted = rowCount ?? 0
  }
}
