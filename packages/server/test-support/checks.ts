import type { Clock } from '@vedette/wire'
import type { Database, Queryable } from '../src/db/database.ts'
import { initialState } from '../src/ingest/index.ts'
import { givenAccount, resolveSettings } from './account.ts'
import { idDueLater } from './schedule.ts'

/** A check in the database with its first revision and its status row. */
export interface GivenCheck {
  id: string
  accountId: string
}

export interface CheckParts {
  /** Default: a new account. */
  accountId?: string
  id?: string
  /** Changes to a check every minute at one location, without retries. */
  definition?: Record<string, unknown>
  secrets?: Record<string, string>
}

const plain = {
  name: 'Shop',
  frequency: 1,
  frequencyOffset: 1,
  locations: ['eu-west-1'],
  privateLocations: null,
  runParallel: false,
  doubleCheck: false,
  retryStrategy: null,
  request: { method: 'GET', url: 'http://127.0.0.1:1/' },
}

/** An activated API check as the management API stores it. Created now, or at the time of the clock. */
export async function givenCheck(
  { db, clock }: { readonly db: Database; clock?: Pick<Clock, 'now'> },
  parts: CheckParts = {},
): Promise<GivenCheck> {
  const at = new Date(clock?.now() ?? Date.now())
  const definition = { ...plain, ...parts.definition }
  const { accountId = await givenAccount(db), id = idDueLater(definition, at.getTime()), secrets = {} } = parts
  const values = [id, accountId, JSON.stringify(definition), JSON.stringify(secrets), at]
  await db.pool.query(
    `INSERT INTO checks (id, account_id, type, name, activated, tags, definition, effective, secrets, offset_sent,
       revision, version, created_at) VALUES ($1, $2, 'API', 'Shop', true, '{}', $3, '{}', $4, false, 1, 1, $5)`,
    values,
  )
  await resolveSettings(db, accountId)
  await db.pool.query(
    `INSERT INTO check_revisions (check_id, revision, account_id, type, name, definition, secrets, created_at)
     VALUES ($1, 1, $2, 'API', 'Shop', $3, $4, $5)`,
    values,
  )
  await db.pool.query(
    `INSERT INTO check_status (check_id, account_id, state, alert_state, created_at) VALUES ($1, $2, 'pending', $3, $4)`,
    [id, accountId, JSON.stringify(initialState()), at],
  )
  return { id, accountId }
}

/** Makes these the parents of the check. */
export async function givenParents(
  { db }: { readonly db: Database },
  check: GivenCheck,
  parents: readonly GivenCheck[],
): Promise<void> {
  await db.pool.query('DELETE FROM check_parents WHERE check_id = $1', [check.id])
  for (const [nr, parent] of parents.entries())
    await db.pool.query('INSERT INTO check_parents (account_id, check_id, parent_id, nr) VALUES ($1, $2, $3, $4)', [
      check.accountId,
      check.id,
      parent.id,
      nr,
    ])
}

/** Changes some fields of the check, and with them the settings in force. */
export async function redefine(
  { db }: { readonly db: Database },
  check: GivenCheck,
  definition: Record<string, unknown>,
): Promise<void> {
  await db.pool.query('UPDATE checks SET definition = definition || $2::jsonb WHERE id = $1', [
    check.id,
    JSON.stringify(definition),
  ])
  await resolveSettings(db, check.accountId)
}

/** Gives the check another revision at this time, with the same content. */
export async function replaceRevision({ db }: { readonly db: Database }, check: GivenCheck, at: number): Promise<void> {
  await db.pool.query(
    `WITH kept AS (UPDATE check_revisions r SET effective = c.effective FROM checks c
       WHERE c.id = $1 AND r.check_id = c.id AND r.revision = c.revision),
     next AS (INSERT INTO check_revisions (check_id, revision, account_id, type, name, definition, secrets, created_at)
       SELECT c.id, c.revision + 1, r.account_id, r.type, r.name, r.definition, r.secrets, $2
       FROM checks c JOIN check_revisions r ON r.check_id = c.id AND r.revision = c.revision WHERE c.id = $1)
     UPDATE checks SET revision = revision + 1 WHERE id = $1`,
    [check.id, new Date(at)],
  )
}

/** Copies the row of a check, without revisions and status, so often: each a millisecond younger, named `<name> <number>`. */
export const copyCheck = (
  { db }: { readonly db: Database },
  checkId: string,
  { times, name }: { times: number; name: string },
): Promise<void> =>
  db.transaction(async (client) => {
    await withoutForeignKeys(client)
    await copyRows(client, {
      table: 'checks',
      which: 'r.id = $1',
      changes: `'id', gen_random_uuid(), 'name', $3::text || ' ' || n, 'created_at', r.created_at + n * interval '1 ms'`,
      values: [checkId, times, name],
    })
  })

/** Copies all checks of an account so often, with status and newest revision. The copies are not activated. Vacuums the tables. */
export async function copyChecksOfAccount(
  { db }: { readonly db: Database },
  accountId: string,
  { times }: { times: number },
): Promise<void> {
  await db.transaction(async (client) => {
    await withoutForeignKeys(client)
    const values = [accountId, times]
    // The checks come last: what belongs to them is found by those that are copied.
    const ofChecks = 'EXISTS (SELECT FROM checks c WHERE c.id = r.check_id AND c.account_id = $1'
    await copyRows(client, {
      table: 'check_status',
      which: `${ofChecks})`,
      changes: `'check_id', ${copyOf('r.check_id')}`,
      values,
    })
    await copyRows(client, {
      table: 'check_revisions',
      which: `${ofChecks} AND c.revision = r.revision)`,
      changes: `'check_id', ${copyOf('r.check_id')}`,
      values,
    })
    await copyRows(client, {
      table: 'checks',
      which: 'r.account_id = $1',
      changes: `'id', ${copyOf('r.id')}, 'activated', false, 'definition', r.definition || '{"activated": false}',
        'name', r.name || ' ' || n, 'created_at', r.created_at + n * interval '1 ms'`,
      values,
    })
  })
  for (const table of ['checks', 'check_status', 'check_revisions']) await db.pool.query(`VACUUM ANALYZE ${table}`)
}

/** So many more checks like this one, with its first revision. Answers the ids of all checks of its account. */
export async function givenCopies(db: Database, id: string, n: number): Promise<string[]> {
  await db.transaction(async (client) => {
    await withoutForeignKeys(client)
    const values = [id, n]
    await copyRows(client, {
      table: 'check_revisions',
      which: 'r.check_id = $1 AND r.revision = 1',
      changes: `'check_id', ${copyOf('r.check_id')}`,
      values,
    })
    await copyRows(client, { table: 'checks', which: 'r.id = $1', changes: `'id', ${copyOf('r.id')}`, values })
  })
  const { rows } = await db.pool.query<{ id: string }>(
    'SELECT id FROM checks WHERE account_id = (SELECT account_id FROM checks WHERE id = $1) ORDER BY id',
    [id],
  )
  return rows.map((row) => row.id)
}

/** The id of copy number `n`, in SQL. */
const copyOf = (id: string) => `md5(${id}::text || ' ' || n)::uuid`

/** They would be checked for every row that is copied. */
const withoutForeignKeys = (client: Queryable) => client.query('SET LOCAL session_replication_role = replica')

interface Copies {
  table: string
  /** Condition on `r`, the row that is copied. */
  which: string
  /** Names and values, in SQL, of what differs in copy number `n`. */
  changes: string
  /** The second is how many copies. */
  values: unknown[]
}

async function copyRows(client: Queryable, { table, which, changes, values }: Copies): Promise<void> {
  const { rows } = await client.query<{ column_name: string }>(
    `SELECT column_name FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER'`,
    [table],
  )
  const columns = rows.map((row) => row.column_name)
  await client.query(
    `INSERT INTO ${table} (${columns.join(', ')})
     SELECT ${columns.map((column) => `copy.${column}`).join(', ')} FROM ${table} r, generate_series(1, $2::int) n,
       jsonb_populate_record(r, jsonb_build_object(${changes})) copy
     WHERE ${which}`,
    values,
  )
}
