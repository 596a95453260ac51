import { hashSecret } from '../access/secret-token.ts'
import type { Queryable } from '../db/database.ts'
import type { UsersRow } from '../db/rows.ts'
import type { Vault } from '../vault.ts'

/** The second factor of a person. `since` is null until it is confirmed: it is not asked for before. */
export interface SecondFactor {
  secret: Buffer
  since: Date | null
}

type Row = Pick<UsersRow, 'totp_secret' | 'totp_since'>

const placeOf = (userId: string) => ({ account: userId, table: 'users', row: userId, field: 'totp_secret' })

/** Secrets of authenticators, sealed, and hashes of recovery codes. */
export const secondFactorStore = (vault: Vault) => ({
  async read(client: Queryable, userId: string): Promise<SecondFactor | undefined> {
    const { rows } = await client.query<Row>('SELECT totp_secret, totp_since FROM users WHERE id = $1', [userId])
    const row = rows[0]
    if (!row || row.totp_secret === null) return undefined
    return { secret: Buffer.from(vault.open(row.totp_secret, placeOf(userId)), 'base64'), since: row.totp_since }
  },

  /** Stores a secret that is not asked for yet. False when another is. */
  async draft(client: Queryable, userId: string, secret: Buffer): Promise<boolean> {
    const sealed = vault.seal(secret.toString('base64'), placeOf(userId))
    const { rowCount } = await client.query(
      'UPDATE users SET totp_secret = $2, totp_last_step = NULL WHERE id = $1 AND totp_since IS NULL',
      [userId, sealed],
    )
    return rowCount === 1
  },

  /** From now on it is asked for. False when it is already. */
  async confirm(client: Queryable, userId: string, confirmed: { step: number; codes: readonly string[]; at: Date }) {
    const { rowCount } = await client.query(
      'UPDATE users SET totp_since = $2, totp_last_step = $3 WHERE id = $1 AND totp_since IS NULL',
      [userId, confirmed.at, confirmed.step],
    )
    if (rowCount !== 1) return false
    await this.setCodes(client, userId, confirmed.codes)
    return true
  },

  async setCodes(client: Queryable, userId: string, codes: readonly string[]): Promise<void> {
    await client.query('DELETE FROM recovery_codes WHERE user_id = $1', [userId])
    await client.query('INSERT INTO recovery_codes (user_id, hash) SELECT $1, unnest($2::bytea[])', [
      userId,
      codes.map(hashSecret),
    ])
  },

  /** A code works once: false for one of a time step that was used, or before it. */
  async useStep(client: Queryable, userId: string, step: number): Promise<boolean> {
    const { rowCount } = await client.query(
      'UPDATE users SET totp_last_step = $2 WHERE id = $1 AND (totp_last_step IS NULL OR totp_last_step < $2)',
      [userId, step],
    )
    return rowCount === 1
  },

  /** False for a code that is none of the person's, or was used. */
  async useRecoveryCode(client: Queryable, userId: string, code: string, now: Date): Promise<boolean> {
    const { rowCount } = await client.query(
      'UPDATE recovery_codes SET used_at = $3 WHERE user_id = $1 AND hash = $2 AND used_at IS NULL',
      [userId, hashSecret(code), now],
    )
    return rowCount === 1
  },

  async remove(client: Queryable, userId: string): Promise<void> {
    await client.query('UPDATE users SET totp_secret = NULL, totp_since = NULL, totp_last_step = NULL WHERE id = $1', [
      userId,
    ])
    await client.query('DELETE FROM recovery_codes WHERE user_id = $1', [userId])
  },
})
