import { beforeEach, expect, test } from 'vitest'
import { memoryAssets } from '../../test-support/assets.ts'
import { givenApi, type TestApi } from '../../test-support/api.ts'
import { TestClock } from '../../test-support/clock.ts'
import { useEmptiedDatabase } from '../../test-support/database.ts'
import { Housekeeping } from './housekeeping.ts'

const database = useEmptiedDatabase()
let api: TestApi
let check: string
let channel: number

beforeEach(async () => {
  api = await givenApi(database.db)
})

const config = { url: 'https://hooks.example/x', webhookSecret: 'hush-hush' }

async function givenDeleted(): Promise<void> {
  channel = Number((await api.call('POST', '/v1/alert-channels', { body: { type: 'WEBHOOK', config } })).body['id'])
  const basicAuth = { username: 'ann', password: 'hush-hush' }
  const body = { name: 'Shop', request: { url: 'https://shop.example', basicAuth } }
  check = String((await api.call('POST', '/v1/checks/api', { body })).body['id'])
  await api.call('POST', '/v1/checks/api', {
    body: { name: 'Cart', parentCheckIds: [check], request: { url: 'https://shop.example' } },
  })
  await api.call('POST', '/v1/variables', { body: { key: 'TOKEN', value: 'hush-hush', secret: true } })
  const proxied = { name: 'Office', proxyUrl: 'http://ann:hush-hush@proxy.example' }
  const location = String((await api.call('POST', '/v1/private-locations', { body: proxied })).body['id'])
  const ends = [`checks/${check}`, `alert-channels/${channel}`, 'variables/TOKEN', `private-locations/${location}`]
  for (const path of ends.map((end) => `/v1/${end}`)) expect((await api.call('DELETE', path)).status).toBe(204)
}

const left = async () => {
  const { rows } = await database.db.pool.query(
    `SELECT (SELECT count(*)::int FROM variables WHERE account_id = $1) AS variables,
       (SELECT count(*)::int FROM alert_channels WHERE account_id = $1 AND secrets <> '{}'::jsonb) AS secrets,
       (SELECT count(*)::int FROM private_locations WHERE account_id = $1 AND secrets <> '{}'::jsonb) AS of_location,
       (SELECT count(*)::int FROM check_revisions WHERE account_id = $1 AND secrets <> '{}'::jsonb)
         + (SELECT count(*)::int FROM checks WHERE account_id = $1 AND secrets <> '{}'::jsonb) AS of_check,
       (SELECT count(*)::int FROM check_parents WHERE account_id = $1) AS links,
       (SELECT count(*)::int FROM alert_subscriptions s JOIN checks c ON c.id = s.check_id
        WHERE s.account_id = $1 AND c.name = 'Shop') AS subscriptions`,
    [api.accountId],
  )
  return rows[0]
}

const hourMs = 3_600_000

/** What a server does every hour whose clock is that far ahead of the one that deleted. */
async function housekeepingAt(aheadMs: number): Promise<void> {
  const clock = new TestClock(Date.now() + aheadMs)
  const log = { info: () => undefined, error: (details: object) => expect.unreachable(JSON.stringify(details)) }
  const housekeeping = new Housekeeping({ db: database.db, clock, log, assets: memoryAssets() })
  await housekeeping.start()
  await housekeeping.stop()
}

const whole = { variables: 1, secrets: 1, of_location: 1, of_check: 2, links: 1, subscriptions: 1 }

test('secrets and subscriptions of what was deleted are there for a day, sealed, and then are not', async () => {
  await givenDeleted()
  await housekeepingAt(0)
  expect(await left()).toEqual(whole)
  const { rows } = await database.db.pool.query(
    `SELECT (SELECT json_agg(v) FROM variables v WHERE account_id = $1) AS v,
       (SELECT json_agg(p) FROM private_locations p WHERE account_id = $1) AS p,
       (SELECT json_agg(c) FROM alert_channels c WHERE account_id = $1) AS c`,
    [api.accountId],
  )
  expect(JSON.stringify(rows)).not.toContain('hush-hush')
  await housekeepingAt(25 * hourMs + 1000)
  expect(await left()).toEqual({ variables: 0, secrets: 0, of_location: 0, of_check: 0, links: 0, subscriptions: 0 })
})

test('a server whose clock is ahead keeps what another can still restore', async () => {
  await givenDeleted()
  await housekeepingAt(24 * hourMs + hourMs / 2)
  expect(await left()).toEqual(whole)
  expect((await api.call('POST', `/v1/checks/${check}/restore`)).status).toBe(200)
})
