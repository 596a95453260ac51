import type { CheckTrigger } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import type { CheckTriggersRow } from '../../db/rows.ts'
import type { SecretPlace, Vault } from '../../vault.ts'

const columns = ['id', 'account_id', 'check_id', 'secrets', 'created_at', 'called_at', 'updated_at'] as const
const columnList = columns.map((column) => `t.${column}`).join(', ')
type TriggerRow = Pick<CheckTriggersRow, (typeof columns)[number]> & { secrets: { token: string } }

const place = (account: string, checkId: string): SecretPlace => ({
  account,
  table: 'check_triggers',
  row: checkId,
  field: 'token',
})

export interface StoredTrigger extends Omit<CheckTrigger, 'url'> {
  accountId: string
}

/** Triggers of checks. Tokens are stored sealed. */
export const triggerStore = (vault: Vault) => {
  const toTrigger = ({ id, account_id, check_id, secrets, ...at }: TriggerRow): StoredTrigger => ({
    id,
    accountId: account_id,
    checkId: check_id,
    token: vault.open(secrets.token, place(account_id, check_id)),
    created_at: at.created_at.toISOString(),
    called_at: at.called_at?.toISOString() ?? null,
    updated_at: at.updated_at?.toISOString() ?? null,
  })
  return {
    /** Of a check that is there, of this account or of any. */
    async read(db: Queryable, checkId: string, account?: string): Promise<StoredTrigger | undefined> {
      const { rows } = await db.query<TriggerRow>(
        `SELECT ${columnList} FROM check_triggers t JOIN checks c ON c.id = t.check_id
         WHERE t.check_id = $1 AND ($2::uuid IS NULL OR t.account_id = $2) AND c.deleted_at IS NULL`,
        [checkId, account ?? null],
      )
      return rows[0] && toTrigger(rows[0])
    },

    /** Undefined when the check has one. */
    async insert(
      client: Queryable,
      { account, checkId, token, at }: { account: string; checkId: string; token: string; at: Date },
    ): Promise<StoredTrigger | undefined> {
      const { rows } = await client.query<TriggerRow>(
        `INSERT INTO check_triggers AS t (account_id, check_id, secrets, created_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (check_id) DO NOTHING RETURNING ${columnList}`,
        [account, checkId, JSON.stringify({ token: vault.seal(token, place(account, checkId)) }), at],
      )
      return rows[0] && toTrigger(rows[0])
    },
  }
}

/** The trigger that was deleted; undefined when there is none. */
export async function deleteTrigger(
  client: Queryable,
  account: string,
  checkId: string,
): Promise<{ id: number } | undefined> {
  const { rows } = await client.query<{ id: number }>(
    'DELETE FROM check_triggers WHERE account_id = $1 AND check_id = $2 RETURNING id',
    [account, checkId],
  )
  return rows[0]
}

export async function noteCall(db: Queryable, id: number, at: Date): Promise<void> {
  await db.query('UPDATE check_triggers SET called_at = $2 WHERE id = $1', [id, at])
}

/** A check as its trigger sees it, locked against being deleted meanwhile. */
export async function lockCheck(
  client: Queryable,
  account: string,
  checkId: string,
): Promise<{ type: string } | undefined> {
  const { rows } = await client.query<{ type: string }>(
    'SELECT type FROM checks WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL FOR SHARE',
    [account, checkId],
  )
  return rows[0]
}
