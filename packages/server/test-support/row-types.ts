import type { Queryable } from '../src/db/database.ts'

/** The type that `pg` returns for each column type, with `columnTypes` of `pool.ts`. */
export const valueTypes: Readonly<Record<string, string>> = {
  bool: 'boolean',
  bytea: 'Buffer',
  float4: 'number',
  int4: 'number',
  int8: 'number',
  jsonb: 'unknown',
  text: 'string',
  _text: 'string[]',
  timestamptz: 'Date',
  uuid: 'string',
}

const header = `// Generated from the migrated database: do not edit. After a new migration run \`npm run generate\`.
// One interface per table, columns as a query delivers them. Stores pick from these what they read.
`

interface Column {
  table: string
  name: string
  type: string
  nullable: boolean
}

/** The columns of every table of the current schema. Partitions are left out: they have the columns of their table. */
async function readColumns(client: Queryable): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `SELECT c.relname AS table, a.attname AS name, t.typname AS type, NOT a.attnotnull AS nullable
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid JOIN pg_type t ON t.oid = a.atttypid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND a.attnum > 0 AND NOT a.attisdropped
     ORDER BY c.relname COLLATE "C", a.attnum`,
  )
  return rows
}

const interfaceName = (table: string): string =>
  `${table.replaceAll(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase())}Row`

function propertyOf({ table, name, type, nullable }: Column): string {
  const value = valueTypes[type]
  if (value === undefined) {
    throw new Error(
      `${table}.${name} has the type ${type}, and valueTypes in row-types.ts does not say how it arrives.`,
    )
  }
  return `  ${name}: ${value}${nullable && value !== 'unknown' ? ' | null' : ''}\n`
}

function interfaceOf(table: string, columns: readonly Column[]): string {
  const properties = columns.filter((column) => column.table === table).map(propertyOf)
  return `\nexport interface ${interfaceName(table)} {\n${properties.join('')}}\n`
}

/** The text of `src/db/rows.ts` for the current schema. */
export async function generateRowTypes(client: Queryable): Promise<string> {
  const columns = await readColumns(client)
  const tables = [...new Set(columns.map(({ table }) => table))]
  return header + tables.map((table) => interfaceOf(table, columns)).join('')
}
