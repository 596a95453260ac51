import type { Clock } from '@vedette/wire'
import type { DatabaseLog, Queryable } from '../database.ts'

const everyMs = 30_000
const megabyte = 1_048_576

/** Write-ahead log before a checkpoint: bounds disk space and the time to open after a kill. */
const walLimitBytes = 32 * megabyte

/** Larger tables are never vacuumed: that would block queries for long, and their partitions are dropped anyway. */
const vacuumLimitBytes = 256 * megabyte

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
    SELECT oid, relnamespace, relname, relfrozenxid, greatest(reltuples, 0) AS rows,
      pg_stat_get_dead_tuples(oid) AS dead, pg_stat_get_ins_since_vacuum(oid) AS inserted,
      pg_stat_get_mod_since_analyze(oid) AS modified
    FROM pg_class WHERE relkind = 'r' AND (pg_stat_get_dead_tuples(oid) > 50 OR pg_stat_get_ins_since_vacuum(oid) > 1000
      OR pg_stat_get_mod_since_analyze(oid) > 1000 OR age(relfrozenxid) > 150000000)
  )
  SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname) AS name, pg_table_size(c.oid) <= $1 AS small
  FROM changed c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname <> 'pg_toast' AND CASE WHEN pg_table_size(c.oid) <= $1
    THEN c.dead > 50 + 0.2 * c.rows OR c.inserted > 1000 + 0.2 * c.rows OR age(c.relfrozenxid) > 150000000
    ELSE c.modified > 1000 + 0.2 * c.rows END
  ORDER BY c.dead + c.inserted DESC LIMIT 1`

/** Vacuums the table that needs it most; a large one is only analyzed. Returns its name. */
export async function vacuumWorstTable(client: Queryable, limitBytes = vacuumLimitBytes): Promise<string | undefined> {
  await client.query('SELECT pg_stat_force_next_flush()')
  const { rows } = await client.query<{ name: string; small: boolean }>(worst, [limitBytes])
  const [table] = rows
  if (!table) return undefined
  await client.query(`${table.small ? 'VACUUM (ANALYZE)' : 'ANALYZE'} ${table.name}`)
  return table.name
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
