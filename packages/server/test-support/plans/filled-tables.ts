import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import type { Database } from '../../src/db/database.ts'

/** Enough that an index that finds few rows is better than one that is read from end to end. */
const rowsOfEach = 3000
/** The rows are of so many accounts, and of so many checks, channels, people and groups. */
const owners = { account_id: 60, others: 600 }

interface Column {
  table: string
  name: string
  type: string
  nullable: boolean
  identity: boolean
}

/** What rows hold where the tables accept only some values. SQL over `n`, the number of the row. */
const particular: Record<string, string> = {
  'agent_keys.account_id': 'NULL',
  'check_status.check_id': 'md5(n::text)::uuid',
  'checks.definition': `jsonb_build_object('groupId', n % 200)`,
  'check_episodes.state': `'failing'`,
  'check_parted_channels.line': `'state'`,
  'check_episodes.acknowledged_by': 'NULL',
  'check_episodes.acknowledged_at': 'NULL',
  'check_episodes.ended_at': `CASE WHEN n % 20 > 0 THEN now() - n * interval '20 seconds' END`,
  'alert_notifications.status': `CASE WHEN n % 20 > 0 THEN 'SUCCESS' ELSE 'IN_PROGRESS' END`,
  'private_locations.slug': `'slug-' || n`,
}

const byType: Record<string, string> = {
  uuid: 'md5(random()::text)::uuid',
  text: `'text ' || n`,
  bytea: `decode(md5(n::text), 'hex')`,
  jsonb: `'{}'::jsonb`,
  boolean: 'n % 2 = 0',
  integer: 'n',
  smallint: 'n % 100',
  bigint: 'n',
  real: 'n',
  'double precision': 'n',
  'text[]': `ARRAY['tag ' || n % 100]`,
  'integer[]': 'ARRAY[n]',
  'timestamp with time zone': `now() - n * interval '2 minutes'`,
  xid8: `pg_current_xact_id()`,
}

/** Fills every table but those, without regard to foreign keys, and lets the planner know. Tables stay as they were otherwise. */
export async function fillTables(db: Database, except: ReadonlySet<string>): Promise<void> {
  await db.transaction(
    async (client) => {
      await client.query('SET LOCAL session_replication_role = replica')
      const columns = (await columnsOf(client)).filter(({ table }) => !except.has(table))
      const ids = Array.from({ length: owners.others }, () => randomUUID())
      for (const table of new Set(columns.map((column) => column.table)))
        await fill(
          client,
          table,
          columns.filter((column) => column.table === table),
          ids,
        )
    },
    { limitMs: 60_000 },
  )
  await db.pool.query('ANALYZE')
}

async function columnsOf(client: PoolClient): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, NULL) AS type, NOT a.attnotnull AS nullable,
       a.attidentity <> '' AS identity
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' ORDER BY c.relname, a.attnum`,
  )
  return rows
}

async function fill(client: PoolClient, table: string, columns: readonly Column[], ids: readonly string[]) {
  const names = columns.filter(({ identity }) => !identity)
  const list = names.map(({ name }) => name).join(', ')
  const values = names.map(valueOf).join(', ')
  await client.query(
    `INSERT INTO ${table} (${list}) SELECT ${values} FROM generate_series(1, $2::int) n WHERE $1::uuid[] IS NOT NULL
     ON CONFLICT DO NOTHING`,
    [ids, rowsOfEach],
  )
}

function valueOf({ table, name, type, nullable }: Column): string {
  const fixed = particular[`${table}.${name}`]
  if (fixed !== undefined) return fixed
  const sql = /^(account|check|channel|user|group)_id$/.test(name) ? ownerOf(name, type) : byType[type]
  if (sql === undefined) throw new Error(`Say in byType what rows hold in ${table}.${name}, of the type ${type}.`)
  return nullable ? `CASE WHEN n % 4 = 0 THEN ${sql} END` : sql
}

function ownerOf(name: string, type: string): string {
  const nth = name === 'account_id' ? `n % ${owners.account_id}` : `(n * 7) % ${owners.others}`
  return type === 'uuid' ? `($1::uuid[])[1 + ${nth}]` : nth
}
