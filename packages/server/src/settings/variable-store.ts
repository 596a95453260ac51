import type { Queryable } from '../db/database.ts'
import type { VariablesRow } from '../db/rows.ts'
import type { Vault } from '../vault.ts'

/** A variable of an account with its value sealed. */
export type VariableRow = Pick<VariablesRow, 'key' | 'value' | 'locked' | 'secret'>

export async function readVariables(client: Queryable, account: string): Promise<VariableRow[]> {
  const { rows } = await client.query<VariableRow>(
    'SELECT key, value, locked, secret FROM variables WHERE account_id = $1 AND deleted_at IS NULL ORDER BY key',
    [account],
  )
  return rows
}

export const openVariable = (vault: Vault, account: string, { key, value }: Pick<VariableRow, 'key' | 'value'>) =>
  vault.open(value, { account, table: 'variables', row: key, field: 'value' })
