import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useEmptyDatabase } from '../../test-support/database.ts'
import { migrate } from './migrate.ts'

const database = useEmptyDatabase()
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vedette-before-'))
  const own = new URL('./migrations/', import.meta.url)
  for (const file of (await readdir(own)).filter((name) => name < '0012'))
    await copyFile(new URL(file, own), join(folder, file))
  await migrate(database.db, pathToFileURL(`${folder}/`))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
})

test('the order of alerts is numbered while a server of the version before stores results', async () => {
  const { db } = database
  await db.pool.query(
    `INSERT INTO check_alerts (id, account_id, check_id, alert_type, reminder, created_at)
     SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'ALERT_FAILURE', 0, now() - n * interval '1 second'
     FROM generate_series(1, 50000) n`,
  )
  await db.pool.query(
    `INSERT INTO alert_notifications (id, account_id, alert_id, check_id, check_name, channel_id, channel_type, alert_config,
       message, status, decided_at, queued_at)
     SELECT gen_random_uuid(), account_id, id, check_id, 'x', 1, 'WEBHOOK', '{}',
       jsonb_build_object('checkId', check_id, 'alertType', alert_type), 'SUCCESS', created_at, created_at FROM check_alerts`,
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
  const migrated = await migrate(db).then(
    () => 'migrated',
    (error: unknown) => String(error),
  )
  done = true
  await old
  expect(migrated).toBe('migrated')
}, 120_000)
