import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { givenChannel } from '../../../test-support/alerts.ts'
import { givenCheck } from '../../../test-support/checks.ts'
import { useEmptiedDatabase } from '../../../test-support/database.ts'
import { troubleOf } from '../../../test-support/troubles.ts'
import { testVault } from '../../../test-support/vault.ts'
import { claimDue, settle } from '../delivery/outbox-store.ts'
import { queueSystemAlerts, queueMissing, readMissing } from './queue-system-alerts.ts'
import { systemAlerts, type OpenTrouble, type SystemAlertType } from './system-alert.ts'

const database = useEmptiedDatabase()
let accountId: string

beforeEach(async () => {
  await database.db.pool.query('TRUNCATE accounts, check_alerts, system_troubles CASCADE')
  const check = await givenCheck(database)
  accountId = check.accountId
  await givenChannel(
    { db: database.db, vault: testVault },
    { accountId, checkId: check.id },
    { config: { url: 'http://c/' } },
  )
  await database.db.pool.query('UPDATE alert_channels SET auto_subscribe = true')
})

const queue = (opens: readonly OpenTrouble[], type: SystemAlertType = 'ALERT_SYSTEM') =>
  database.db.transaction((client) =>
    queueSystemAlerts(
      client,
      systemAlerts(opens, { type, decidedAt: Date.now() }, [{ id: accountId, isOperator: true }]),
      false,
    ),
  )

test('a channel that gave up in a time that the clock was ahead of is told once for each pause', async () => {
  const open = { id: randomUUID(), trouble: troubleOf('RESULTS_NOT_STORED') }
  await queue([open])
  const giveUp = async (at: number, round: number) => {
    await database.db.pool.query(`UPDATE alert_notifications SET status = 'FAILURE', queued_at = $1 WHERE round = $2`, [
      new Date(at),
      round,
    ])
  }
  const now = Date.now()
  // Queued an hour ahead of the clock, which was set back since.
  await giveUp(now + 3_600_000, 0)
  const again = await readMissing(database.db.pool, [open], now)
  expect(again).toHaveLength(1)
  await database.db.transaction((client) => queueMissing(client, again))
  await giveUp(now, 1)
  expect(await readMissing(database.db.pool, [open], now + 1000)).toEqual([])
})

const holder = 'one sender'
const claim = () => claimDue(database.db.pool, { holder, leaseMs: 60_000, limit: 10, perChannel: 10, underWay: [] })
const refused = {
  status: 'IN_PROGRESS',
  responseStatus: 503,
  result: '',
  acceptedAt: undefined,
  retryInMs: 600_000,
} as const
const accepted = {
  status: 'SUCCESS',
  responseStatus: 200,
  result: '',
  acceptedAt: Date.now(),
  retryInMs: undefined,
} as const

test('the end of two troubles that are told together does not overtake the alert of the second', async () => {
  const first = { id: randomUUID(), trouble: troubleOf('RESULTS_NOT_STORED') }
  const second = { id: randomUUID(), trouble: troubleOf('DISK_NEARLY_FULL') }
  await queue([first])
  await queue([second])
  // The channel takes the first, and is away for a moment when the second comes.
  for (const outcome of [accepted, refused]) {
    const [next] = await claim()
    if (next === undefined) throw new Error('One is due.')
    await settle(database.db.pool, holder, next, outcome)
  }
  await queue([first, second], 'ALERT_SYSTEM_RECOVERY')
  const sent = (await claim()).map(({ message }) => message.system?.title)
  expect(sent).toEqual([])
})

test('the channels of a suspended account are told when it resumes, if the trouble lasts', async () => {
  const suspend = (at: Date | null) => database.db.pool.query('UPDATE accounts SET suspended_at = $1', [at])
  const open = { id: randomUUID(), trouble: troubleOf('RESULTS_NOT_STORED') }
  await suspend(new Date())
  await queue([open])
  expect(await claim()).toEqual([])
  expect(await readMissing(database.db.pool, [open], Date.now())).toEqual([])
  await suspend(null)
  expect(await readMissing(database.db.pool, [open], Date.now())).toHaveLength(1)
})
