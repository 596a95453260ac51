import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { givenAccount, useEmptyDatabase } from '../../test-support/database.ts'
import { migrate } from './migrate.ts'

const database = useEmptyDatabase()
const since = new Date(Math.floor(Date.now() / 1000) * 1000 - 3_600_000)
let folder: string
let account: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vedette-before-'))
  const own = new URL('./migrations/', import.meta.url)
  for (const file of (await readdir(own)).filter((name) => name < '0015'))
    await copyFile(new URL(file, own), join(folder, file))
  await migrate(database.db, pathToFileURL(`${folder}/`))
  account = await givenAccount(database.db)
})
afterAll(() => rm(folder, { recursive: true }))

async function given(state: string, activated = true): Promise<string> {
  const id = randomUUID()
  await database.db.pool.query(
    `INSERT INTO checks (id, account_id, type, name, activated, tags, definition, effective, secrets, offset_sent,
       revision, version, created_at) VALUES ($1, $2, 'API', 'Shop', $3, '{}', '{}', '{}', '{}', false, 1, 1, now())`,
    [id, account, activated],
  )
  await database.db.pool.query(
    `INSERT INTO check_status (check_id, account_id, state, state_since, cause, alert_state, created_at)
     VALUES ($1, $2, $3, $4, 'Down', '{}', now())`,
    [id, account, state, since],
  )
  return id
}

test('checks that are in trouble at the upgrade are in an episode since their trouble began', async () => {
  const [failing, degraded] = [await given('failing'), await given('degraded')]
  await given('passing')
  await given('failing', false)
  const alert = randomUUID()
  await database.db.pool.query(
    `INSERT INTO check_alerts (id, account_id, check_id, alert_type, reminder, created_at)
     VALUES ($1, $2, $3, 'ALERT_FAILURE', 0, $4), ($5, $2, $3, 'ALERT_FAILURE', 0, $6)`,
    [alert, account, failing, new Date(since.getTime() + 1000), randomUUID(), new Date(since.getTime() - 60_000)],
  )
  await migrate(database.db)
  const { rows } = await database.db.pool.query<Record<string, unknown>>(
    `SELECT e.check_id, e.state, e.began_at, e.ended_at, e.cause, array_agg(a.id) AS alerts
     FROM check_episodes e LEFT JOIN check_alerts a ON a.episode_id = e.id GROUP BY e.id ORDER BY e.state DESC`,
  )
  const open = { began_at: since, ended_at: null, cause: 'Down' }
  expect(rows).toEqual([
    { ...open, check_id: failing, state: 'failing', alerts: [alert] },
    { ...open, check_id: degraded, state: 'degraded', alerts: [null] },
  ])
})
