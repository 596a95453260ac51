import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { givenAccount, useDatabase } from '../../../test-support/database.ts'
import { testVault as vault } from '../../../test-support/vault.ts'
import { claimDue, settle } from './outbox-store.ts'
import { queueNotifications } from '../notifications/queue-notifications.ts'
import { anAlert, givenChannel } from '../../../test-support/alerts.ts'
import { givenCheck } from '../../../test-support/checks.ts'

const database = useDatabase()

it('a channel with one page is served before the tenth page of channels that do not answer', async () => {
  const { db } = database
  await db.pool.query(`UPDATE alert_notifications SET status = 'FAILURE' WHERE status = 'IN_PROGRESS'`)
  const accountId = await givenAccount(db)
  const nowMs = Date.now()
  const page = async (checkId: string, decidedAt: number) =>
    db.transaction((client) => queueNotifications(client, [anAlert({ accountId, checkId, decidedAt })]))
  const subscribed = async (config: Record<string, unknown>, checks: number): Promise<[number, string[]]> => {
    const ids = await Promise.all(
      Array.from({ length: checks }, async () => (await givenCheck({ db }, { accountId })).id),
    )
    const channel = await givenChannel({ db, vault }, { accountId, checkId: ids[0]! }, { type: 'EMAIL', config })
    for (const id of ids.slice(1)) {
      await db.pool.query(
        'INSERT INTO alert_subscriptions (account_id, channel_id, check_id, activated) VALUES ($1, $2, $3, true)',
        [accountId, channel, id],
      )
    }
    return [channel, ids]
  }
  for (let n = 0; n < 3; n++) {
    const [, checks] = await subscribed({ address: `slow${n}@example.org` }, 5)
    for (const checkId of checks) await page(checkId, nowMs - 60_000)
  }
  const [quick, [checkId]] = await subscribed({ address: 'quick@example.org' }, 1)
  await page(checkId!, nowMs - 1000)
  const claim = { holder: 'me', leaseMs: 60_000, perChannel: 4, underWay: [] }
  await claimDue(db.pool, { ...claim, limit: 3 })
  const next = await claimDue(db.pool, { ...claim, limit: 1 })
  expect(next.map((claimed) => claimed.channel_id)).toEqual([quick])
})

it('what waits for an older notification of its line is due when that is tried again, and at once when it is settled', async () => {
  const { db } = database
  await db.pool.query(`UPDATE alert_notifications SET status = 'FAILURE' WHERE status = 'IN_PROGRESS'`)
  const accountId = await givenAccount(db)
  const of = { accountId, checkId: (await givenCheck({ db }, { accountId })).id }
  await givenChannel({ db, vault }, of, { type: 'EMAIL', config: { address: 'a@example.org' } })
  const queue = (alertType: 'ALERT_FAILURE' | 'ALERT_RECOVERY') =>
    db.transaction((client) => queueNotifications(client, [anAlert({ ...of, alertType })]))
  const dueIn = async () => {
    const { rows } = await db.pool.query<{ in_s: number }>(
      `SELECT round(extract(epoch FROM next_attempt_at - clock_timestamp()) / 10)::int * 10 AS in_s FROM alert_notifications
       WHERE check_id = $1 AND status = 'IN_PROGRESS' ORDER BY seq`,
      [of.checkId],
    )
    return rows.map((row) => row.in_s)
  }
  const attempt = async (retryInMs: number | undefined) => {
    await db.pool.query(`UPDATE alert_notifications SET next_attempt_at = planned_at WHERE check_id = $1`, [of.checkId])
    const claim = { holder: randomUUID(), leaseMs: 60_000, limit: 10, perChannel: 4, underWay: [] }
    const [claimed, ...others] = await claimDue(db.pool, claim)
    expect(others).toEqual([])
    const status = retryInMs === undefined ? 'SUCCESS' : 'IN_PROGRESS'
    const outcome = { status, responseStatus: 200, result: '', acceptedAt: undefined, retryInMs } as const
    await settle(db.pool, claim.holder, claimed!, outcome)
  }
  await queue('ALERT_FAILURE')
  await queue('ALERT_RECOVERY')
  await attempt(300_000)
  expect(await dueIn()).toEqual([300, 300])
  await queue('ALERT_FAILURE')
  expect(await dueIn()).toEqual([300, 300, 300])
  await attempt(600_000)
  expect(await dueIn()).toEqual([600, 600, 600])
  await attempt(undefined)
  expect(await dueIn()).toEqual([0, 0])
})
