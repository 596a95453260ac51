import type { Queryable } from '../../db/database.ts'
import { openVariable, readVariables } from '../../settings/variable-store.ts'
import type { Vault } from '../../vault.ts'

export interface AccountVariables {
  values: Record<string, string>
  /** Values that must not appear in the ledger: those of locked and secret variables. */
  hidden: string[]
}

export type SealedVariable = Awaited<ReturnType<typeof readVariables>>[number]

/** The variables of an account as templates see them. */
export async function readAccountVariables(
  client: Queryable,
  vault: Vault,
  account: string,
): Promise<AccountVariables> {
  return openVariables(vault, account, await readVariables(client, account))
}

export function openVariables(vault: Vault, account: string, rows: readonly SealedVariable[]): AccountVariables {
  const found: AccountVariables = { values: {}, hidden: [] }
  for (const row of rows) {
    const opened = openVariable(vault, account, row)
    found.values[row.key] = opened
    if (row.locked || row.secret) found.hidden.push(opened)
  }
  return found
}
