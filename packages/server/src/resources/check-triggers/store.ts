import type { Queryable } from '../../db/database.ts'
import type { CheckTriggersRow } from '../../db/rows.ts'
import type { SecretPlace, Vault } from '../../vault.ts'
import type { TriggerKind } from './trigger-kind.ts'

interface TriggerRow extends Pick<CheckTriggersRow, 'id' | 'account_id' | 'created_at' | 'called_at' | 'updated_at'> {
  target: string | number
  secrets: { token: string }
}

export interface StoredTrigger {
  id: number
  accountId: string
  /** Of the check or group. */
  target: string | number
  token: string
  created_at: string
  called_at: string | null
  updated_at: string | null
}

// Names of tables and columns are constants of `trigger-kind.ts`; no input reaches the SQL text.
const columnsOf = ({ column }: TriggerKind): string =>
  `t.id, t.account_id, t.${column} AS target, t.secrets, t.created_at, t.called_at, t.updated_at`

/** Says of row `t` that what it runs is there. */
const isThere: Record<TriggerKind['table'], string> = {
  check_triggers: 'EXISTS (SELECT 1 FROM checks c WHERE c.id = t.check_id AND c.deleted_at IS NULL)',
  check_group_triggers: 'true',
}

/** Locks what is to be run; $1 is the account, $2 the id. */
const lockOf: Record<TriggerKind['table'], string> = {
  check_triggers: 'SELECT type FROM checks WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL FOR SHARE',
  check_group_triggers: 'SELECT NULL AS type FROM check_groups WHERE account_id = $1 AND id = $2 FOR SHARE',
}

/** Triggers of one kind. Tokens are stored sealed. */
export const triggerStore = (kind: TriggerKind, vault: Vault) => {
  const place = (account: string, target: string | number): SecretPlace => ({
    account,
    table: kind.table,
    row: String(target),
    field: 'token',
  })
  const toTrigger = ({ id, account_id, target, secrets, ...at }: TriggerRow): StoredTrigger => ({
    id,
    accountId: account_id,
    target,
    token: vault.open(secrets.token, place(account_id, target)),
    created_at: at.created_at.toISOString(),
    called_at: at.called_at?.toISOString() ?? null,
    updated_at: at.updated_at?.toISOString() ?? null,
  })
  return {
    /** Of what is there, of this account or of any. */
    async read(db: Queryable, target: string | number, account?: string): Promise<StoredTrigger | undefined> {
      const { rows } = await db.query<TriggerRow>(
        `SELECT ${columnsOf(kind)} FROM ${kind.table} t
         WHERE t.${kind.column} = $1 AND ($2::uuid IS NULL OR t.account_id = $2) AND ${isThere[kind.table]}`,
        [target, account ?? null],
      )
      return rows[0] && toTrigger(rows[0])
    },

    /** Undefined when there is one. */
    async insert(
      client: Queryable,
      { account, target, token, at }: { account: string; target: string | number; token: string; at: Date },
    ): Promise<StoredTrigger | undefined> {
      const { rows } = await client.query<TriggerRow>(
        `INSERT INTO ${kind.table} AS t (account_id, ${kind.column}, secrets, created_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (${kind.column}) DO NOTHING RETURNING ${columnsOf(kind)}`,
        [account, target, JSON.stringify({ token: vault.seal(token, place(account, target)) }), at],
      )
      return rows[0] && toTrigger(rows[0])
    },
  }
}

/** The trigger that was deleted; undefined when there is none. */
export async function deleteTrigger(
  client: Queryable,
  { table, column }: TriggerKind,
  { account, target }: { account: string; target: string | number },
): Promise<{ id: number } | undefined> {
  const { rows } = await client.query<{ id: number }>(
    `DELETE FROM ${table} WHERE account_id = $1 AND ${column} = $2 RETURNING id`,
    [account, target],
  )
  return rows[0]
}

export async function noteCall(db: Queryable, { table }: TriggerKind, id: number, at: Date): Promise<void> {
  await db.query(`UPDATE ${table} SET called_at = $2 WHERE id = $1`, [id, at])
}

/** What a trigger is to run, locked against being deleted meanwhile. `type` is that of a check. */
export async function lockTarget(
  client: Queryable,
  { table }: TriggerKind,
  { account, target }: { account: string; target: string | number },
): Promise<{ type: string | null } | undefined> {
  const { rows } = await client.query<{ type: string | null }>(lockOf[table], [account, target])
  return rows[0]
}
