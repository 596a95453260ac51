import type { Clock } from '@vedette/wire'
import type { DatabaseLog, Queryable } from '../database.ts'

const everyMs = 30_000
const megabyte = 1_048_576

/** Write-ahead log before a checkpoint: bounds disk space and the time to open after a kill. */
const walLimitBytes = 32 * megabyte

/**
 * Vacuum reads no more than this at a time, which blocks queries for as long. Of a larger table it reads only what was added
 * since, and leaves its indexes alone: partitions of results are dropped as a whole.
 */
const vacuumLimitBytes = 256 * megabyte

/** A vacuum this often keeps each one short, and lets the newest results be read from their index alone. */
const insertedAtMost = 10_000

/** Writes a checkpoint when more than `limitBytes` of log were written since the last. Returns whether it did. */
export async function checkpointWhenGrown(client: Queryable, limitBytes = walLimitBytes): Promise<boolean> {
  const { rows } = await client.query<{ grown: boolean }>(
    'SELECT pg_current_wal_insert_lsn() - redo_lsn > $1 AS grown FROM pg_control_checkpoint()',
    [limitBytes],
  )
  if (!rows[0]?.grown) return false
  await client.query('CHECKPOINT')
  return true
}

// The thresholds of PostgreSQL's autovacuum, which does not run in the embedded database. The size of a table costs several
// looks at the disk, so it is asked only of those that changed.
const worst = `
  WITH changed AS MATERIALIZED (
    SELECT oid, relnamespace, relname, age(relfrozenxid) > 150000000 AS old, relallvisible, greatest(reltuples, 0) AS rows,
      pg_stat_get_dead_tuples(oid) AS dead, pg_stat_get_ins_since_vacuum(oid) AS inserted,
      pg_stat_get_mod_since_analyze(oid) AS modified
    FROM pg_class WHERE relkind = 'r' AND (pg_stat_get_dead_tuples(oid) > 50 OR pg_stat_get_ins_since_vacuum(oid) > 1000
      OR pg_stat_get_mod_since_analyze(oid) > 1000 OR age(relfrozenxid) > 150000000)
  ), sized AS (
    SELECT *, pg_table_size(oid) <= $1 AS small,
      pg_relation_size(oid) - relallvisible * current_setting('block_size')::bigint <= $1 AS little_added,
      dead > 50 + 0.2 * rows AS worn, modified > 1000 + 0.2 * rows AS unlike,
      inserted > least(1000 + 0.2 * rows, ${insertedAtMost}) AS grown
    FROM changed
  ), due AS (
    SELECT *, CASE WHEN small THEN worn OR grown OR old ELSE little_added AND grown END AS vacuum FROM sized
  )
  SELECT quote_ident(n.nspname) || '.' || quote_ident(d.relname) AS name, small, vacuum, unlike OR small AND worn AS analyze
  FROM due d JOIN pg_namespace n ON n.oid = d.relnamespace
  WHERE n.nspname <> 'pg_toast' AND (vacuum OR unlike AND NOT small)
  ORDER BY d.dead + d.inserted DESC LIMIT 1`

interface Worst {
  name: string
  small: boolean
  vacuum: boolean
  analyze: boolean
}

/** Vacuums or analyzes the table that needs it most. Returns its name. */
export async function vacuumWorstTable(client: Queryable, limitBytes = vacuumLimitBytes): Promise<string | undefined> {
  await client.query('SELECT pg_stat_force_next_flush()')
  const { rows } = await client.query<Worst>(worst, [limitBytes])
  const [table] = rows
  if (!table) return undefined
  await client.query(`${statementFor(table)} ${table.name}`)
  return table.name
}

function statementFor({ small, vacuum, analyze }: Worst): string {
  if (!vacuum) return 'ANALYZE'
  const options = [...(analyze ? ['ANALYZE'] : []), ...(small ? [] : ['INDEX_CLEANUP off', 'PROCESS_TOAST off'])]
  return options.length === 0 ? 'VACUUM' : `VACUUM (${options.join(', ')})`
}

/**
 * Work that a PostgreSQL server does in background processes, which the embedded database lacks: without checkpoints
 * its log grows without bound, without vacuum its tables do. Runs one step at a time, so that queries in between wait
 * briefly.
 */
export function startUpkeep(client: Queryable, clock: Clock, log?: DatabaseLog): { stop(): Promise<void> } {
  let stopped = false
  let running = Promise.resolve()
  const step = async () => {
    try {
      await checkpointWhenGrown(client)
      await vacuumWorstTable(client)
    } catch (error) {
      if (!stopped) log?.error({ err: error }, 'The upkeep of the embedded database failed; it is tried again.')
    }
    if (!stopped) cancel = clock.after(everyMs, run)
  }
  const run = () => {
    running = step()
  }
  let cancel = clock.after(everyMs, run)
  return {
    async stop() {
      stopped = true
      cancel()
      await running
    },
  }
}
