import type { Queryable } from '../db/database.ts'
import { sealedBy, type KeyedVault } from './vault.ts'

const checkKey = 'master-key-check'
const changeKey = 'master-key-change'
const checkPlace = { account: 'installation', table: 'installation', row: checkKey, field: 'value' }

async function readValue(client: Queryable, key: string): Promise<string | undefined> {
  const { rows } = await client.query<{ value: string }>('SELECT value FROM installation WHERE key = $1', [key])
  return rows[0]?.value
}

/** The key id of an unfinished change of the master key; undefined when there is none. */
export const readKeyChange = (client: Queryable): Promise<string | undefined> => readValue(client, changeKey)

export async function markKeyChange(client: Queryable, keyId: string): Promise<void> {
  await client.query(
    'INSERT INTO installation (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    [changeKey, JSON.stringify(keyId)],
  )
}

export async function clearKeyChange(client: Queryable): Promise<void> {
  await client.query('DELETE FROM installation WHERE key = $1', [changeKey])
}

/** Id of the master key of the database; undefined when it never had one. */
export async function readKeyId(client: Queryable): Promise<string | undefined> {
  const sealed = await readValue(client, checkKey)
  return sealed && sealedBy(sealed)
}

/** Stores the value by which every start verifies the master key. */
export async function storeKeyCheck(client: Queryable, vault: KeyedVault): Promise<void> {
  await client.query(
    'INSERT INTO installation (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    [checkKey, JSON.stringify(vault.seal(checkKey, checkPlace))],
  )
}

/** Stores that value in a database that has none yet. */
export async function storeFirstKeyCheck(client: Queryable, vault: KeyedVault): Promise<void> {
  await client.query('INSERT INTO installation (key, value) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    checkKey,
    JSON.stringify(vault.seal(checkKey, checkPlace)),
  ])
}

/** The sealed value of `storeKeyCheck`. */
export const readKeyCheck = (client: Queryable): Promise<string | undefined> => readValue(client, checkKey)

/** Throws when the value was not sealed by this vault. */
export const openKeyCheck = (vault: KeyedVault, sealed: string): string => vault.open(sealed, checkPlace)
