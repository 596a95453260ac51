import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { givenChannel } from '../../../test-support/alerts.ts'
import { givenCheck } from '../../../test-support/checks.ts'
import { TestClock } from '../../../test-support/clock.ts'
import { useEmptiedDatabase } from '../../../test-support/database.ts'
import { troubleOf } from '../../../test-support/troubles.ts'
import { testVault } from '../../../test-support/vault.ts'
import type { Trouble } from '../../trouble.ts'
import { channelKinds } from '../channels/index.ts'
import { DirectDelivery } from './direct-delivery.ts'
import { SystemAlerts } from './system-alerts.ts'
import { toldFile } from './told-file.ts'

const database = useEmptiedDatabase()
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'two-servers-'))
  const { accountId, id: checkId } = await givenCheck(database)
  const config = { url: 'http://127.0.0.1:1/' }
  await givenChannel({ db: database.db, vault: testVault }, { accountId, checkId }, { config })
  await database.db.pool.query('UPDATE alert_channels SET auto_subscribe = true')
})
afterEach(() => rm(folder, { recursive: true }))

/** Ids of the alerts that a server that stands by tells directly when it sees these troubles for a minute. */
async function toldBy(server: string, troubles: readonly Trouble[]): Promise<string[]> {
  const clock = new TestClock()
  const log = { error: () => undefined, warn: () => undefined }
  const { db } = database
  const outgoing = {
    egress: () => ({ privateTargets: true, deniedTargets: [] }),
    settings: {},
    baseUrl: () => 'http://v',
  }
  const direct = new DirectDelivery({ db, clock, vault: testVault, kinds: channelKinds, log, ...outgoing })
  const alerts = new SystemAlerts({
    db,
    clock,
    direct,
    told: toldFile(join(folder, server)),
    write: () => Promise.reject(new Error('This process does not lead.')),
    within: (_what, work) => work,
    lostTerm: () => true,
    alertedAfterMs: 30_000,
    overAfterMs: 300_000,
    onQueued: () => undefined,
    log,
  })
  const look = { troubles, endOf: () => undefined, mayTell: true, answers: true, leading: false, outboxWorks: true }
  for (let passed = 0; passed < 60_000; passed += 5000) {
    await alerts.look(look)
    await clock.advance(5000)
  }
  return direct.messages().map(({ alert }) => alert.alertId)
}

test('a server that sees more than that nobody schedules tells the rest apart, and that under the same id', async () => {
  const leaderless = troubleOf('NO_SCHEDULER', { occurrence: 'scheduler 9 300' })
  const [one] = await toldBy('one', [leaderless])
  const ids = await toldBy('other', [troubleOf('DISK_NEARLY_FULL'), leaderless])
  expect(ids).toHaveLength(2)
  expect(ids).toContain(one)
})
