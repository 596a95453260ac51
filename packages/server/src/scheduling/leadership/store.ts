import type { Queryable } from '../../db/database.ts'
import type { LeadershipRow } from '../../db/rows.ts'

export interface LeaseRow {
  holder: string
  epoch: number
  expiresAt: number
  watermark: number | undefined
}

const fromRow = (row: LeadershipRow): LeaseRow => ({
  holder: row.holder,
  epoch: row.epoch,
  expiresAt: row.expires_at.getTime(),
  watermark: row.watermark?.getTime(),
})

export async function readLease(db: Queryable, role: string): Promise<LeaseRow | undefined> {
  const { rows } = await db.query<LeadershipRow>('SELECT * FROM leadership WHERE role = $1', [role])
  return rows[0] && fromRow(rows[0])
}

/** Creates the first lease of a role. Undefined when another process was faster. */
export async function createLease(
  db: Queryable,
  role: string,
  lease: { holder: string; expiresAt: number },
): Promise<LeaseRow | undefined> {
  const { rows } = await db.query<LeadershipRow>(
    `INSERT INTO leadership (role, holder, epoch, expires_at) VALUES ($1, $2, 1, $3)
     ON CONFLICT (role) DO NOTHING RETURNING *`,
    [role, lease.holder, new Date(lease.expiresAt)],
  )
  return rows[0] && fromRow(rows[0])
}

/**
 * Takes the lease over with a new epoch, if it is unchanged since it was read. Waits for transactions in progress that
 * hold the epoch.
 */
export async function takeLease(
  client: Queryable,
  role: string,
  change: { seen: LeaseRow; holder: string; expiresAt: number },
): Promise<LeaseRow | undefined> {
  await client.query('SELECT 1 FROM leadership WHERE role = $1 FOR UPDATE', [role])
  const { rows } = await client.query<LeadershipRow>(
    `UPDATE leadership SET holder = $2, epoch = epoch + 1, expires_at = $3
     WHERE role = $1 AND epoch = $4 AND expires_at = $5 RETURNING *`,
    [role, change.holder, new Date(change.expiresAt), change.seen.epoch, new Date(change.seen.expiresAt)],
  )
  return rows[0] && fromRow(rows[0])
}

/** False when the lease has another epoch. */
export async function renewLease(db: Queryable, role: string, epoch: number, expiresAt: number): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'lease-renew',
    text: 'UPDATE leadership SET expires_at = $3 WHERE role = $1 AND epoch = $2',
    values: [role, epoch, new Date(expiresAt)],
  })
  return rowCount === 1
}

/** False when the lease has another epoch. */
export async function writeWatermarkOf(
  db: Queryable,
  { role, epoch, watermark }: { role: string; epoch: number; watermark: number },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'lease-watermark',
    text: 'UPDATE leadership SET watermark = $3 WHERE role = $1 AND epoch = $2',
    values: [role, epoch, new Date(watermark)],
  })
  return rowCount === 1
}

/**
 * Keeps the epoch unchanged until the transaction ends; renewals are not held up. False when it has changed already. A
 * process that is suspended in the middle holds others up no longer than `idleMs`: then the server ends its transaction.
 */
export async function lockEpoch(
  client: Queryable,
  { role, epoch, idleMs }: { role: string; epoch: number; idleMs: number },
): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT set_config('idle_in_transaction_session_timeout', $3, true)
     FROM leadership WHERE role = $1 AND epoch = $2 FOR KEY SHARE`,
    [role, epoch, String(idleMs)],
  )
  return rowCount === 1
}
