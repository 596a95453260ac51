import { randomUUID } from 'node:crypto'
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { givenAccount, useEmptyDatabase } from '../../test-support/database.ts'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'

const database = useEmptyDatabase()
const folders: string[] = []

/** An empty database as the version before that migration leaves it. */
async function givenBefore(migration: string): Promise<Database> {
  const folder = await mkdtemp(join(tmpdir(), 'vedette-before-'))
  folders.push(folder)
  const own = new URL('./migrations/', import.meta.url)
  for (const file of (await readdir(own)).filter((name) => name < migration))
    await copyFile(new URL(file, own), join(folder, file))
  await database.db.pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  await migrate(database.db, pathToFileURL(`${folder}/`))
  return database.db
}
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))

const outcomeOf = (migrating: Promise<unknown>): Promise<string> =>
  migrating.then(
    () => 'migrated',
    (error: unknown) => String(error),
  )

/** Until a session waits for the lock of that table. */
async function untilAwaited(db: Database, table: string): Promise<void> {
  const awaited = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = $1::regclass`
  while ((await db.pool.query(awaited, [table])).rows.length === 0) await new Promise((next) => setTimeout(next, 5))
}

const noWait = `SET LOCAL lock_timeout = '500ms'`

test('the order of alerts is numbered while a server of the version before stores results', async () => {
  const db = await givenBefore('0012')
  // They only fill the tables: a busy machine may take long over them.
  await db.transaction(
    async (client) => {
      await client.query(
        `INSERT INTO check_alerts (id, account_id, check_id, alert_type, reminder, created_at)
         SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'ALERT_FAILURE', 0, now() - n * interval '1 second'
         FROM generate_series(1, 50000) n`,
      )
      await client.query(
        `INSERT INTO alert_notifications (id, account_id, alert_id, check_id, check_name, channel_id, channel_type, alert_config,
           message, status, decided_at, queued_at)
         SELECT gen_random_uuid(), account_id, id, check_id, 'x', 1, 'WEBHOOK', '{}',
           jsonb_build_object('checkId', check_id, 'alertType', alert_type), 'SUCCESS', created_at, created_at FROM check_alerts`,
      )
    },
    { limitMs: 60_000 },
  )
  let done = false
  // What ingest of the old server does for a failing result: locks status rows, then reads and writes alerts.
  const old = (async () => {
    while (!done) {
      await db
        .transaction(async (client) => {
          await client.query('SELECT 1 FROM check_status ORDER BY check_id FOR UPDATE')
          await client.query('SELECT 1 FROM check_alerts LIMIT 1')
        })
        .catch(() => undefined)
    }
  })()
  const migrated = await outcomeOf(migrate(db))
  done = true
  await old
  expect(migrated).toBe('migrated')
}, 120_000)

test('a server of the version before that stores a result reads its check while the columns of the list wait', async () => {
  const db = await givenBefore('0018')
  const migrating = await db.transaction(async (old) => {
    await old.query('SELECT 1 FROM check_status FOR UPDATE')
    const outcome = outcomeOf(migrate(db))
    await untilAwaited(db, 'check_status')
    await old.query(`${noWait}; SELECT 1 FROM checks`)
    return { outcome }
  })
  expect(await migrating.outcome).toBe('migrated')
}, 60_000)

test('a migration that the database ends, because a server of the version before locks in another order, is repeated', async () => {
  const db = await givenBefore('0018')
  const account = await givenAccount(db)
  const id = randomUUID()
  let outcome: Promise<string> | undefined
  const created = db.transaction(async (old) => {
    await old.query(
      `INSERT INTO checks (id, account_id, type, name, activated, tags, definition, effective, secrets, offset_sent,
         revision, version, created_at) VALUES ($1, $2, 'API', 'Shop', true, '{}', '{}', '{}', '{}', false, 1, 1, now())`,
      [id, account],
    )
    outcome = outcomeOf(migrate(db))
    await untilAwaited(db, 'checks')
    // Only the other one looks for deadlocks now, after it has waited for a second: the migration ends.
    await old.query(`SET LOCAL deadlock_timeout = '1min'`)
    await old.query(
      `INSERT INTO check_status (check_id, account_id, state, alert_state, created_at) VALUES ($1, $2, 'pending', '{}', now())`,
      [id, account],
    )
  })
  await expect(created).resolves.toBeUndefined()
  expect(await outcome).toBe('migrated')
  const { rows } = await db.pool.query('SELECT host FROM checks JOIN check_status s ON s.check_id = id WHERE id = $1', [
    id,
  ])
  expect(rows).toHaveLength(1)
}, 60_000)

test('checks are read and their status is written while the stored results get their index', async () => {
  const db = await givenBefore('0018')
  const migrating = await db.transaction(async (old) => {
    await old.query('LOCK TABLE check_results IN ROW EXCLUSIVE MODE')
    const outcome = outcomeOf(migrate(db))
    await untilAwaited(db, 'check_results')
    await old.query(`${noWait}; SELECT 1 FROM checks; SELECT 1 FROM check_status FOR UPDATE`)
    return { outcome }
  })
  expect(await migrating.outcome).toBe('migrated')
}, 60_000)
