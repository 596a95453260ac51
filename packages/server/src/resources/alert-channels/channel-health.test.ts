import { randomUUID } from 'node:crypto'
import type { AlertChannelHealth } from '@vedette/wire'
import { beforeAll, expect, test } from 'vitest'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { useDatabase } from '../../../test-support/database.ts'

const database = useDatabase()
let api: TestApi

beforeAll(async () => {
  api = await givenApi(database.db)
})

async function givenChannel(): Promise<number> {
  const body = { type: 'EMAIL', config: { address: 'on-call@example.org' } }
  return Number((await api.call('POST', '/v1/alert-channels', { body })).body['id'])
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)

/** A row of the ledger, whatever alert it belongs to. */
async function given(channel: number, status: string, at: Date, result: string | null = null): Promise<void> {
  const { db } = database
  const check = await api.call('POST', '/v1/checks/api', {
    body: { name: 'x', request: { url: 'https://a.example/' } },
  })
  const alert = randomUUID()
  await db.pool.query(
    `INSERT INTO check_alerts (id, account_id, check_id, alert_type, result_id, result_due_at, revision, location, created_at)
     VALUES ($1, $2, $3, 'ALERT_FAILURE', $4, $5, 1, 'eu-west-1', $5)`,
    [alert, api.accountId, check.body['id'], randomUUID(), at],
  )
  await db.pool.query(
    `INSERT INTO alert_notifications (id, account_id, alert_id, check_id, check_name, check_type, channel_id, channel_type,
       alert_config, message, status, attempts, response_status, notification_result, due_at, decided_at, queued_at)
     VALUES ($1, $2, $3, $4, 'x', 'API', $5, 'EMAIL', '{}', '{}', $6, 1, $7, $8, $9, $9, $9)`,
    [
      randomUUID(),
      api.accountId,
      alert,
      check.body['id'],
      channel,
      status,
      status === 'SUCCESS' ? 200 : 500,
      result,
      at,
    ],
  )
}

const healthOf = async (channel: number) =>
  (await api.call('GET', '/v1/alert-channel-health')).list.find(
    (one) => (one as AlertChannelHealth).channelId === channel,
  ) as AlertChannelHealth

test('a channel that was never used says so', async () => {
  expect(await healthOf(await givenChannel())).toMatchObject({ condition: 'unused', at: null, waiting: 0 })
})

test('the newest notification that ended decides; those under way are counted', async () => {
  const channel = await givenChannel()
  await given(channel, 'SUCCESS', minutesAgo(9))
  expect(await healthOf(channel)).toMatchObject({ condition: 'working', status: 200 })
  await given(channel, 'FAILURE', minutesAgo(5), 'mailbox full')
  await given(channel, 'IN_PROGRESS', minutesAgo(1))
  expect(await healthOf(channel)).toMatchObject({
    condition: 'failing',
    status: 500,
    answer: 'mailbox full',
    waiting: 1,
  })
})

test('a test message that was accepted later shows that the channel works again', async () => {
  const channel = await givenChannel()
  await given(channel, 'FAILURE', minutesAgo(5))
  await database.db.pool.query('UPDATE alert_channels SET test_accepted_at = now() WHERE id = $1', [channel])
  expect(await healthOf(channel)).toMatchObject({ condition: 'working' })
})
