import type { Queryable } from '../db/database.ts'
import type { ClientCertificatesRow, LeadershipRow, VariablesRow } from '../db/rows.ts'
import type { SecretPlace } from '../vault.ts'

export interface SealedRow {
  place: Omit<SecretPlace, 'field'>
  /** Sealed texts by field. */
  values: Record<string, string>
  write(client: Queryable, values: Record<string, string>): Promise<void>
}

export interface SealedTable {
  table: string
  column: string
  rows(client: Queryable): Promise<SealedRow[]>
}

interface SecretsTable {
  table: string
  /** Columns that identify the row. */
  key: readonly string[]
  /** The table that secrets are bound to, and the column that identifies its row. */
  place: { table: string; row: string }
}

interface KeyedSecrets extends Record<string, unknown> {
  account: string
  place_row: string
  secrets: Record<string, string>
}

// The names below are constants of this file; no input reaches the SQL text.
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
    const { rows } = await client.query<Pick<VariablesRow, 'account_id' | 'key' | 'value'>>(
      'SELECT account_id, key, value FROM variables FOR UPDATE',
    )
    return rows.map(({ account_id: account, key, value }) => ({
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

const certificatesTable: SealedTable = {
  table: 'client_certificates',
  column: 'key',
  async rows(client) {
    const { rows } = await client.query<Pick<ClientCertificatesRow, 'account_id' | 'id' | 'key'>>(
      'SELECT account_id, id, key FROM client_certificates FOR UPDATE',
    )
    return rows.map(({ account_id: account, id, key }) => ({
      place: { account, table: 'client_certificates', row: id },
      values: { key },
      async write(writer, values) {
        await writer.query('UPDATE client_certificates SET key = $1 WHERE id = $2', [values['key'], id])
      },
    }))
  },
}

const secondFactors: SealedTable = {
  table: 'users',
  column: 'totp_secret',
  async rows(client) {
    const { rows } = await client.query<{ id: string; secret: string }>(
      'SELECT id, totp_secret AS secret FROM users WHERE totp_secret IS NOT NULL FOR UPDATE',
    )
    return rows.map(({ id, secret }) => ({
      place: { account: id, table: 'users', row: id },
      values: { totp_secret: secret },
      async write(writer, values) {
        await writer.query('UPDATE users SET totp_secret = $1 WHERE id = $2', [values['totp_secret'], id])
      },
    }))
  },
}

/** Every column that holds sealed values. Those of revisions are bound to their check, so that rows can be copied. */
export const sealedTables: readonly SealedTable[] = [
  secretsTable({ table: 'checks', key: ['id'], place: { table: 'checks', row: 'id' } }),
  secretsTable({
    table: 'check_revisions',
    key: ['check_id', 'revision'],
    place: { table: 'checks', row: 'check_id' },
  }),
  secretsTable({ table: 'check_groups', key: ['id'], place: { table: 'check_groups', row: 'id' } }),
  secretsTable({ table: 'alert_channels', key: ['id'], place: { table: 'alert_channels', row: 'id' } }),
  secretsTable({ table: 'private_locations', key: ['id'], place: { table: 'private_locations', row: 'id' } }),
  secretsTable({ table: 'check_triggers', key: ['id'], place: { table: 'check_triggers', row: 'check_id' } }),
  secretsTable({
    table: 'check_group_triggers',
    key: ['id'],
    place: { table: 'check_group_triggers', row: 'group_id' },
  }),
  variablesTable,
  certificatesTable,
  secondFactors,
]

/** The server that leads with this database now, undefined when there is none. */
export async function readLeader(client: Queryable): Promise<string | undefined> {
  const { rows } = await client.query<Pick<LeadershipRow, 'holder'>>(
    'SELECT holder FROM leadership WHERE expires_at > now() LIMIT 1',
  )
  return rows[0]?.holder
}
