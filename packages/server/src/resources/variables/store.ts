import type { Variable } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import type { VariablesRow } from '../../db/rows.ts'
import type { SecretPlace, Vault } from '../../vault.ts'

const columns = ['key', 'value', 'locked', 'secret', 'version'] as const
const columnList = columns.join(', ')
type VariableRow = Pick<VariablesRow, (typeof columns)[number]>

export type VersionedVariable = Variable & { version: number }

const place = (account: string, key: string): SecretPlace => ({ account, table: 'variables', row: key, field: 'value' })

const openedVariable = (vault: Vault, account: string, row: VariableRow): VersionedVariable => ({
  key: row.key,
  value: row.secret ? null : vault.open(row.value, place(account, row.key)),
  locked: row.locked,
  secret: row.secret,
  version: row.version,
})

/** Variables of an account. Values are stored sealed; those of secret variables are never opened here. */
export const variableStore = (vault: Vault) => {
  const toVariable = (account: string, row: VariableRow) => openedVariable(vault, account, row)
  return {
    async list(
      client: Queryable,
      { account, search }: { account: string; search: string | undefined },
      { limit, offset }: { limit: number; offset: number },
    ) {
      const where = `account_id = $1 AND deleted_at IS NULL AND ($2::text IS NULL OR strpos(lower(key), lower($2)) > 0)`
      const values = [account, search ?? null]
      const { rows } = await client.query<VariableRow>(
        `SELECT ${columnList} FROM variables WHERE ${where} ORDER BY key LIMIT $3 OFFSET $4`,
        [...values, limit, offset],
      )
      const count = await client.query<{ total: number }>(
        `SELECT count(*)::int AS total FROM variables WHERE ${where}`,
        values,
      )
      return { variables: rows.map((row) => toVariable(account, row)), total: count.rows[0]?.total ?? 0 }
    },
    async read(client: Queryable, account: string, key: string, lock = false): Promise<VersionedVariable | undefined> {
      const { rows } = await client.query<VariableRow>(
        `SELECT ${columnList} FROM variables WHERE account_id = $1 AND key = $2 AND deleted_at IS NULL ${lock ? 'FOR UPDATE' : ''}`,
        [account, key],
      )
      return rows[0] && toVariable(account, rows[0])
    },
    /** Undefined when the key is taken. One that was deleted makes way. */
    async insert(client: Queryable, account: string, variable: NewVariable): Promise<VersionedVariable | undefined> {
      const { rows } = await client.query<VariableRow>(
        `INSERT INTO variables (account_id, key, value, locked, secret, version, created_at)
         VALUES ($1, $2, $3, $4, $5, 1, $6)
         ON CONFLICT (account_id, key) DO UPDATE SET value = EXCLUDED.value, locked = EXCLUDED.locked,
           secret = EXCLUDED.secret, version = variables.version + 1, created_at = EXCLUDED.created_at,
           updated_at = NULL, deleted_at = NULL
         WHERE variables.deleted_at IS NOT NULL RETURNING ${columnList}`,
        [account, variable.key, sealed(vault, account, variable), variable.locked, variable.secret, variable.at],
      )
      return rows[0] && toVariable(account, rows[0])
    },
    async update(client: Queryable, account: string, variable: NewVariable): Promise<VersionedVariable | undefined> {
      const { rows } = await client.query<VariableRow>(
        `UPDATE variables SET value = $3, locked = $4, secret = $5, version = version + 1, updated_at = $6
         WHERE account_id = $1 AND key = $2 AND deleted_at IS NULL RETURNING ${columnList}`,
        [account, variable.key, sealed(vault, account, variable), variable.locked, variable.secret, variable.at],
      )
      return rows[0] && toVariable(account, rows[0])
    },
    /** Its sealed value stays while it can be restored. */
    async remove(client: Queryable, account: string, { key, at }: { key: string; at: Date }): Promise<void> {
      await client.query(
        'UPDATE variables SET deleted_at = $3, version = version + 1 WHERE account_id = $1 AND key = $2',
        [account, key, at],
      )
    },
  }
}

/** Brings back a variable that was deleted since then. Undefined when there is none. */
export async function restoreVariable(
  client: Queryable,
  vault: Vault,
  { account, key, since, at }: { account: string; key: string; since: Date; at: Date },
): Promise<VersionedVariable | undefined> {
  const { rows } = await client.query<VariableRow>(
    `UPDATE variables SET deleted_at = NULL, updated_at = $4, version = version + 1
     WHERE account_id = $1 AND key = $2 AND deleted_at > $3 RETURNING ${columnList}`,
    [account, key, since, at],
  )
  return rows[0] && openedVariable(vault, account, rows[0])
}

interface NewVariable {
  key: string
  value: string
  locked: boolean
  secret: boolean
  at: Date
}

const sealed = (vault: Vault, account: string, { key, value }: NewVariable): string =>
  vault.seal(value, place(account, key))

/** Values of the secret variables in the clear, by key, to compare them with others. They are never sent as an answer. */
export async function readSecretValues(
  client: Queryable,
  vault: Vault,
  account: string,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<Pick<VariableRow, 'key' | 'value'>>(
    'SELECT key, value FROM variables WHERE account_id = $1 AND secret AND deleted_at IS NULL',
    [account],
  )
  return new Map(rows.map(({ key, value }) => [key, vault.open(value, place(account, key))]))
}
