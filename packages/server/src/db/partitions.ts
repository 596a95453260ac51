import type { Database, Queryable } from './database.ts'

const dayMs = 86_400_000
const daysBack = 7
const daysAhead = 7
/** Days that results are kept, today included. */
const daysKept = 30
const dropLimitMs = 60_000

/** Which due times have a partition. */
export interface PartitionCover {
  covers(dueAtMs: number): boolean
}

const startOfDay = (ms: number) => Math.floor(ms / dayMs) * dayMs
const dayName = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** Name and bounds (from inclusive, to exclusive) of the daily partition that holds a due time. */
export function partitionBounds(dueAtMs: number): { name: string; from: Date; to: Date } {
  const from = startOfDay(dueAtMs)
  const name = `check_results_${dayName(from).replaceAll('-', '')}`
  return { name, from: new Date(from), to: new Date(from + dayMs) }
}

async function readDays(client: Queryable): Promise<number[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'check_results'::regclass AND c.relname ~ '^check_results_[0-9]{8}$'`,
  )
  return rows.map(({ name }) => {
    const day = name.slice(-8)
    return Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T00:00:00Z`)
  })
}

function coverOf(days: Iterable<number>): PartitionCover {
  const known = new Set(days)
  return { covers: (dueAtMs) => known.has(startOfDay(dueAtMs)) }
}

/** The partitions there are. */
export const readCover = async (db: Database): Promise<PartitionCover> => coverOf(await readDays(db.pool))

/** Begin of the oldest day that has one. */
export async function oldestDay(db: Database): Promise<Date | undefined> {
  const [first] = (await readDays(db.pool)).toSorted((a, b) => a - b)
  return first === undefined ? undefined : new Date(first)
}

// PostgreSQL takes no parameters in DDL. The interpolated text consists of digits and dashes only.
async function createPartition(client: Queryable, day: number): Promise<void> {
  const { name, from, to } = partitionBounds(day)
  await client.query(
    `CREATE TABLE IF NOT EXISTS ${name} PARTITION OF check_results
     FOR VALUES FROM ('${from.toISOString()}') TO ('${to.toISOString()}')`,
  )
}

// Any number other than that of the migrations.
const partitionLock = 4_827_116

/**
 * Creates the partitions of `check_results` from a week back (late results) to a week ahead, and those of older due
 * times whose results are still kept. Returns the days that have one.
 */
export async function ensurePartitions(
  db: Database,
  nowMs: number,
  dueTimes: readonly number[] = [],
): Promise<PartitionCover> {
  const today = startOfDay(nowMs)
  const around = Array.from({ length: daysBack + 1 + daysAhead }, (_, i) => today + (i - daysBack) * dayMs)
  const older = dueTimes.map(startOfDay).filter((day) => day < today && day >= today - daysKept * dayMs)
  const wanted = [...new Set([...around, ...older])]
  const before = await readDays(db.pool)
  const missing = wanted.filter((day) => !before.includes(day))
  if (missing.length === 0) return coverOf(before)
  return db.transaction(async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [partitionLock])
    for (const day of missing) await createPartition(client, day)
    return coverOf(await readDays(client))
  })
}

interface Retention {
  /** Days of results to keep, today included. */
  days?: number
  /** Called before each drop; false keeps the day (`2026-01-31`). */
  mayDrop?: (day: string) => Promise<boolean>
}

/** Days dropped at a time: a mistake, of a clock or of ours, must not cost all results. */
const atOnce = 2

/**
 * True when results show that time has passed as the clock says: there are some of the days before today. A clock that
 * leapt forward is only believed after a day, and one that is right again has lost nothing by then.
 */
async function agreesWithResults(client: Queryable, nowMs: number): Promise<boolean> {
  const { rows } = await client.query<{ newest: Date | null }>(
    'SELECT max(due_at) AS newest FROM check_results WHERE due_at < $1',
    [new Date(nowMs - dayMs)],
  )
  const newest = rows[0]?.newest
  // Without results there is nothing to lose.
  return !newest || nowMs - newest.getTime() < 3 * dayMs
}

/** Drops the oldest partitions past retention, a few at a time, unless the clock is in doubt. Returns their days. */
export async function dropExpiredPartitions(db: Database, nowMs: number, retention: Retention = {}): Promise<string[]> {
  const { days = daysKept, mayDrop = () => Promise.resolve(true) } = retention
  const oldest = startOfDay(nowMs) - days * dayMs
  const expired = (await readDays(db.pool)).filter((start) => start < oldest).toSorted((a, b) => a - b)
  if (expired.length === 0 || !(await agreesWithResults(db.pool, nowMs))) return []
  const dropped: string[] = []
  for (const day of expired) {
    if (dropped.length === atOnce) break
    if (!(await mayDrop(dayName(day)))) continue
    await db.transaction((client) => dropPartition(client, day), { limitMs: dropLimitMs })
    dropped.push(dayName(day))
  }
  return dropped
}

async function dropPartition(client: Queryable, day: number): Promise<void> {
  // Dropping waits for readers of the parent, and new readers wait behind it. It is given up after this time, so that
  // ingest does not stop.
  await client.query("SET LOCAL lock_timeout = '2s'")
  await client.query(`DROP TABLE IF EXISTS ${partitionBounds(day).name}`)
}
