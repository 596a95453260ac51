import { expect, it } from 'vitest'
import { givenAccount, useDatabase } from '../../../test-support/database.ts'
import { testVault as vault } from '../../../test-support/vault.ts'
import { claimDue } from './outbox-store.ts'
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
