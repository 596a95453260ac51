import type { Queryable } from '../../db/database.ts'
import type { VariablesRow } from '../../db/rows.ts'
import type { Vault } from '../../vault.ts'

export interface AccountVariables {
  values: Record<string, string>
  /** Values nobody may read in a ledger: those of locked and secret variables. */
  hidden: string[]
}

/** The variables of an account as templates see them. */
export async function readAccountVariables(
  client: Queryable,
  vault: Vault,
  account: string,
): Promise<AccountVariables> {
  const { rows } = await client.query<Pick<VariablesRow, 'key' | 'value' | 'locked' | 'secret'>>(
    'SELECT key, value, locked, secret FROM variables WHERE account_id = $1',
    [account],
  )
  const found: AccountVariables = { values: {}, hidden: [] }
  for (const { key, value, locked, secret } of rows) {
    const opened = vault.open(value, { account, table: 'variables', row: key, field: 'value' })
    found.values[key] = opened
    if (locked || secret) found.hidden.push(opened)
  }
  return found
}
