import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { givenChannel } from '../../../test-support/alerts.ts'
import { givenCheck } from '../../../test-support/checks.ts'
import { useEmptiedDatabase } from '../../../test-support/database.ts'
import { testVault } from '../../../test-support/vault.ts'
import type { Trouble } from '../../trouble.ts'
import { claimDue, settle } from '../delivery/outbox-store.ts'
import { queueSystemAlerts } from './queue-system-alerts.ts'
import { systemAlerts, type OpenTrouble, type SystemAlertType } from './system-alert.ts'

const database = useEmptiedDatabase()
const holder = 'one sender'
let accountId: string

const troubleOf = (code: Trouble['code']): Trouble => ({
  key: code,
  code,
  severity: 'critical',
  subject: 'Vedette',
  accountId: null,
  location: null,
  title: `${code} is there`,
  over: `${code} is over`,
  text: 'Something is wrong.',
  advice: 'Mend it.',
  since: Date.now(),
})

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

const tell = (opens: readonly OpenTrouble[], type: SystemAlertType) =>
  database.db.transaction((client) =>
    queueSystemAlerts(
      client,
      systemAlerts(opens, { type, decidedAt: Date.now() }, [{ id: accountId, isOperator: true }]),
      false,
    ),
  )
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
  await tell([first], 'ALERT_SYSTEM')
  await tell([second], 'ALERT_SYSTEM')
  // The channel takes the first, and is away for a moment when the second comes.
  for (const outcome of [accepted, refused]) {
    const [next] = await claim()
    if (next === undefined) throw new Error('One is due.')
    await settle(database.db.pool, holder, next, outcome)
  }
  await tell([first, second], 'ALERT_SYSTEM_RECOVERY')
  const sent = (await claim()).map(({ message }) => message.system?.title)
  expect(sent).toEqual([])
})
