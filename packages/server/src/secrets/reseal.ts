import type { Database, Queryable } from '../db/database.ts'
import { StartRefused } from '../start-refused.ts'
import { clearKeyChange, markKeyChange, readKeyChange, readKeyId, storeKeyCheck } from './master-key-store.ts'
import { readLeader, sealedTables, type SealedRow, type SealedTable } from './sealed-rows-store.ts'
import { sealedBy, type KeyedVault } from './vault.ts'

function resealed(row: SealedRow, vault: KeyedVault): Record<string, string> | undefined {
  const entries = Object.entries(row.values)
  if (entries.every(([, sealed]) => sealedBy(sealed) === vault.keyId)) return undefined
  return Object.fromEntries(
    entries.map(([field, sealed]) => {
      const place = { ...row.place, field }
      return [field, vault.seal(vault.open(sealed, place), place)]
    }),
  )
}

/** All sealed rows of a table are read at once. */
const limitMs = 10 * 60_000

async function resealTable(client: Queryable, table: SealedTable, vault: KeyedVault): Promise<number> {
  let changed = 0
  for (const row of await table.rows(client)) {
    const values = resealed(row, vault)
    if (!values) continue
    await row.write(client, values)
    changed += 1
  }
  return changed
}

async function refuseWhileServed(client: Queryable): Promise<void> {
  const holder = await readLeader(client)
  if (holder === undefined) return
  throw new StartRefused(
    `A Vedette server (${holder}) is using this database and would go on writing with the old key. Stop it first.`,
  )
}

async function begin(client: Queryable, vault: KeyedVault, oldKeyId: string): Promise<void> {
  await refuseWhileServed(client)
  const target = await readKeyChange(client)
  if (target !== undefined && target !== vault.keyId) {
    throw new StartRefused(
      `Another change of the master key, to key ${target}, was begun and not finished. Finish it with that key first.`,
    )
  }
  const current = await readKeyId(client)
  if (current !== undefined && current !== oldKeyId && current !== vault.keyId) {
    throw new StartRefused(
      `The old master key is not the one of this database: its secrets belong to key ${current}, the old key given is ${oldKeyId}. ` +
        'Set VEDETTE_OLD_MASTER_KEY to the key the database has now.',
    )
  }
  await markKeyChange(client, vault.keyId)
}

/**
 * Seals every secret of the database anew with the current key of `vault`, one transaction per table. A kill at any
 * point leaves a mark that keeps servers from starting; a second run continues. `adopt` installs the new key (a file)
 * once every secret is sealed with it.
 */
export async function resealAll(
  db: Database,
  vault: KeyedVault,
  change: { oldKeyId: string; adopt?: () => Promise<void> },
): Promise<Record<string, number>> {
  await db.transaction((client) => begin(client, vault, change.oldKeyId))
  const changed: Record<string, number> = {}
  for (const table of sealedTables) {
    changed[table.table] = await db.transaction((client) => resealTable(client, table, vault), { limitMs })
  }
  await db.transaction((client) => storeKeyCheck(client, vault))
  await change.adopt?.()
  await clearKeyChange(db.pool)
  return changed
}
