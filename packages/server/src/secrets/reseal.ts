import type { Database, Queryable } from '../db/database.ts'
import { StartRefused } from '../db/start-refused.ts'
import type { SecretPlace } from '../vault.ts'
import { clearKeyChange, markKeyChange, readKeyChange, readKeyId, storeKeyCheck } from './check-master-key.ts'
import { sealedBy, type KeyedVault } from './vault.ts'

interface SealedRow {
  place: Omit<SecretPlace, 'field'>
  /** Sealed texts by field. */
  values: Record<string, string>
  write(client: Queryable, values: Record<string, string>): Promise<void>
}

interface SealedTable {
  table: string
  column: string
  rows(client: Queryable): Promise<SealedRow[]>
}

interface SecretsTable {
  table: string
  /** Columns that find the row again. */
  key: readonly string[]
  /** The table of the place secrets are bound to, and the column that is its row. */
  place: { table: string; row: string }
}

interface KeyedSecrets extends Record<string, unknown> {
  account: string
  place_row: string
  secrets: Record<string, string>
}

// The names below are constants of this file; nothing from outside reaches the SQL text.
function secretsTable({ table, key, place }: SecretsTable): SealedTable {
  const where = key.map((column, i) => `${column} = $${i + 2}`).join(' AND ')
  return {
    table,
    column: 'secrets',
    async rows(client) {
      const { rows } = await client.query<KeyedSecrets>(
        `SELECT ${key.join(', ')}, account_id AS account, ${place.row}::text AS place_row, secrets FROM ${table}
         WHERE secrets <> '{}'::jsonb FOR UPDATE`,
      )
      return rows.map((row) => ({
        place: { account: row.account, table: place.table, row: row.place_row },
        values: row.secrets,
        async write(writer, values) {
          const ids = key.map((column) => row[column])
          await writer.query(`UPDATE ${table} SET secrets = $1 WHERE ${where}`, [JSON.stringify(values), ...ids])
        },
      }))
    },
  }
}

const variablesTable: SealedTable = {
  table: 'variables',
  column: 'value',
  async rows(client) {
    const { rows } = await client.query<{ account: string; key: string; value: string }>(
      'SELECT account_id AS account, key, value FROM variables FOR UPDATE',
    )
    return rows.map(({ account, key, value }) => ({
      place: { account, table: 'variables', row: key },
      values: { value },
      async write(writer, values) {
        await writer.query('UPDATE variables SET value = $1 WHERE account_id = $2 AND key = $3', [
          values['value'],
          account,
          key,
        ])
      },
    }))
  },
}

/** Every column that holds sealed values. Revisions are bound to the place of their check, so that rows can be copied. */
export const sealedTables: readonly SealedTable[] = [
  secretsTable({ table: 'checks', key: ['id'], place: { table: 'checks', row: 'id' } }),
  secretsTable({
    table: 'check_revisions',
    key: ['check_id', 'revision'],
    place: { table: 'checks', row: 'check_id' },
  }),
  secretsTable({ table: 'alert_channels', key: ['id'], place: { table: 'alert_channels', row: 'id' } }),
  variablesTable,
]

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
  const { rows } = await client.query<{ holder: string }>(
    'SELECT holder FROM leadership WHERE expires_at > now() LIMIT 1',
  )
  if (!rows[0]) return
  throw new StartRefused(
    `A Vedette server (${rows[0].holder}) is using this database and would go on writing with the old key. Stop it first.`,
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
 * point leaves a mark that keeps servers from starting; running it again goes on. `adopt` puts the new key in its
 * place (a file) once every secret has it.
 */
export async function resealAll(
  db: Database,
  vault: KeyedVault,
  change: { oldKeyId: string; adopt?: () => Promise<void> },
): Promise<Record<string, number>> {
  await db.transaction((client) => begin(client, vault, change.oldKeyId))
  const changed: Record<string, number> = {}
  for (const table of sealedTables) {
    changed[table.table] = await db.transaction((client) => resealTable(client, table, vault))
  }
  await db.transaction((client) => storeKeyCheck(client, vault))
  await change.adopt?.()
  await clearKeyChange(db.pool)
  return changed
}
