import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import * as schema from './schema.ts'
import { useDatabase } from '../../test-support/database.ts'

const database = useDatabase()
const tables = Object.values<unknown>(schema).filter((value): value is PgTable => is(value, PgTable))

interface Column {
  name: string
  type: string
  required: boolean
}

const columnsOf = (table: PgTable): Column[] =>
  Object.values(getTableColumns(table)).map((column) => ({
    name: column.name,
    type: column.getSQLType().replace('timestamp with time zone', 'timestamptz'),
    required: column.notNull,
  }))

const sqlTypes: Record<string, string> = { int4: 'integer', int8: 'bigint', bool: 'boolean', float4: 'real' }

async function columnsInDatabase(table: string): Promise<Column[]> {
  const { rows } = await database.db.pool.query<{ name: string; type: string; required: boolean }>(
    `SELECT column_name AS name, udt_name AS type, is_nullable = 'NO' AS required FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position`,
    [table],
  )
  return rows.map(({ name, type, required }) => ({
    name,
    type: type.startsWith('_') ? `${type.slice(1)}[]` : (sqlTypes[type] ?? type),
    required,
  }))
}

test.each(tables.map((table) => [getTableName(table), table] as const))(
  'the schema of %s is that of the database',
  async (name, table) => {
    expect(columnsOf(table)).toEqual(await columnsInDatabase(name))
  },
)

test('every table of the database has a schema', async () => {
  const { rows } = await database.db.pool.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
     AND c.relnamespace = current_schema()::regnamespace AND c.relname <> 'schema_migrations'`,
  )
  expect(rows.map(({ name }) => name).toSorted()).toEqual(tables.map(getTableName).toSorted())
})

test.each(tables.map((table) => [getTableName(table), table] as const))(
  'the primary key of %s is that of the database',
  async (name, table) => {
    const { rows } = await database.db.pool.query<{ columns: string[] }>(
      `SELECT array_agg(a.attname::text ORDER BY array_position(i.indkey::int2[], a.attnum)) AS columns
       FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
       WHERE i.indrelid = $1::regclass AND i.indisprimary`,
      [name],
    )
    const { columns, primaryKeys } = getTableConfig(table)
    const composite = primaryKeys.flatMap((key) => key.columns.map((column) => column.name))
    const single = columns.filter((column) => column.primary).map((column) => column.name)
    expect(composite.length > 0 ? composite : single).toEqual(rows[0]?.columns)
  },
)
