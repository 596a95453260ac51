import { afterEach, beforeEach, expect, test } from 'vitest'
import { givenChannel } from '../../test-support/alerts.ts'
import { givenCheck, type GivenCheck } from '../../test-support/checks.ts'
import { letPromisesRun, TestClock } from '../../test-support/clock.ts'
import { databaseAtTimeOf } from '../../test-support/database-time.ts'
import { openInMemory, seedDataDir } from '../../test-support/database.ts'
import { healthSources } from '../../test-support/health.ts'
import { openTestHttp } from '../../test-support/http.ts'
import { openReceiver, type Receiver } from '../../test-support/receiver.ts'
import { incomingResult } from '../../test-support/results.ts'
import { mountSmallDisk, type SmallDisk } from '../../test-support/small-disk.ts'
import { testVault } from '../../test-support/vault.ts'
import { channelKinds, createSender, DirectDelivery, SystemAlerts } from '../alerting/index.ts'
import type { Database } from '../db/database.ts'
import { openEmbedded } from '../db/embedded/open-embedded.ts'
import { migrate } from '../db/migrate.ts'
import { ensurePartitions } from '../db/partitions.ts'
import type { App } from '../http/build-http.ts'
import { Ingest } from '../ingest/index.ts'
import { serverMetrics } from '../operations/metrics.ts'
import { privateLocationMetrics } from '../operations/private-location-metrics.ts'
import { operationRoutes } from '../operations/routes.ts'
import { FactCollector } from './facts/collect-facts.ts'
import { HealthWatch } from './health-watch.ts'

let disk: SmallDisk | undefined
let database: { db: Database }
let clock: TestClock
let receiver: Receiver
let check: GivenCheck
/** Where no disk can be mounted: nothing is stored. */
let refusesCommits: boolean
let commits: number
let ingest: Ingest
let health: HealthWatch
let app: App
let stop: () => Promise<void>

/** Counts transactions; without a disk of its own reads go on, and none commits. */
const fillable = (db: Database): Database => ({
  ...db,
  transaction(work) {
    commits++
    const fault = Object.assign(new Error('could not extend file: No space left on device'), { code: '53100' })
    return refusesCommits ? Promise.reject(fault) : db.transaction(work)
  },
})

/** The embedded database on a small disk, or in memory. */
async function openSmallDatabase(): Promise<Database> {
  disk = await mountSmallDisk('300m')
  if (disk === undefined) return openInMemory()
  await seedDataDir(disk.path)
  return openEmbedded(disk.path)
}

async function fill(): Promise<void> {
  if (disk === undefined) refusesCommits = true
  else await disk.fill()
}

async function makeRoom(): Promise<void> {
  refusesCommits = false
  await disk?.makeRoom()
}

beforeEach(async () => {
  database = { db: await openSmallDatabase() }
  await migrate(database.db)
  await ensurePartitions(database.db, Date.now())
  // Looks ask the database: time stands still until they have their answers.
  clock = new TestClock(Math.floor(Date.now() / 1000) * 1000, async () => {
    for (let turn = 0; turn < 3; turn++) await database.db.pool.query('SELECT 1')
    await letPromisesRun()
  })
  receiver = await openReceiver()
  check = await givenCheck(database)
  await givenChannel(
    { db: database.db, vault: testVault },
    { accountId: check.accountId, checkId: check.id },
    { config: { url: receiver.base }, flags: { failure: true } },
  )
  await database.db.pool.query('UPDATE alert_channels SET auto_subscribe = true')
  ;[refusesCommits, commits] = [false, 0]
  const db = fillable(databaseAtTimeOf(database.db, clock))
  const log = { error: () => undefined, warn: () => undefined }
  ingest = new Ingest({ db, clock })
  const outgoing = {
    egress: () => ({ privateTargets: true, deniedTargets: [] }),
    settings: {},
    baseUrl: () => 'http://v',
  }
  const parts = { db, clock, vault: testVault, log, ...outgoing }
  const sender = createSender(parts)
  const direct = new DirectDelivery({ ...parts, kinds: channelKinds })
  const alerts = new SystemAlerts({
    db,
    clock,
    direct,
    log,
    write: (work) => db.transaction(work),
    within: (_what, work) => work,
    lostTerm: () => false,
    told: { load: () => Promise.resolve(undefined), save: () => Promise.resolve() },
    alertedAfterMs: 30_000,
    overAfterMs: 300_000,
    onQueued: () => sender.wake(),
  })
  const sources = { ingest: () => ingest.condition(), deliveredAt: () => sender.lookedAt() }
  const collector = new FactCollector(healthSources(db, clock, sources))
  health = new HealthWatch({
    clock,
    collector,
    alerts,
    prepare: () => direct.refresh(),
    onChange: () => undefined,
    log,
  })
  const metrics = serverMetrics({
    health: () => health.latest(),
    queue: () => ({ waiting: 0, leased: 0 }),
    scheduledChecks: () => 0,
    openPages: () => 0,
    leading: () => true,
    notStorable: () => ingest.notStorable,
    privateLocations: privateLocationMetrics(),
    locationLoads: () => [],
  })
  app = await openTestHttp(database.db, (http) =>
    operationRoutes(http, { db, clock, metrics, isReady: () => true, health: () => health.latest() }),
  )
  sender.start()
  await health.start()
  stop = async () => {
    await health.stop()
    await sender.stop()
    await ingest.stop()
    await app.close()
    await receiver.close()
    await database.db.close()
    await disk?.remove()
  }
})
afterEach(() => stop())

/** An agent that delivers again and again, five times a second. Returns how many results were accepted. */
async function deliverFor(ms: number): Promise<number> {
  let accepted = 0
  for (let passed = 0; passed < ms; passed += 200) {
    let isAnswered = false
    void ingest.accept([incomingResult(check, clock.now())]).then((answer) => {
      isAnswered = true
      accepted += answer.accepted.length
    })
    await clock.advance(200)
    // A batch waits for its time; a commit needs real time, in which the clock stands still.
    for (let turn = 0; !isAnswered && turn < 30; turn++) await database.db.pool.query('SELECT 1')
  }
  return accepted
}

const readiness = async () => {
  const answer = await app.inject('/-/readiness')
  return { status: answer.statusCode, body: answer.json<{ reasons: { code: string; text: string }[] }>() }
}
const metric = async (name: string) =>
  Number(new RegExp(`^${name} (\\S+)$`, 'm').exec((await app.inject('/metrics')).body)?.[1])

test('a full disk makes the server not ready, is alerted without a row, and is over when there is room', async () => {
  expect(await deliverFor(10_000)).toBeGreaterThan(0)
  expect(await readiness()).toMatchObject({ status: 200, body: { status: 'ready', role: 'leading' } })

  await fill()
  // Tables have some room left in their last pages.
  while ((await deliverFor(1000)) > 0);
  commits = 0
  await deliverFor(20_000)
  expect(await readiness()).toMatchObject({
    status: 503,
    body: { status: 'not ready', reasons: [{ code: 'RESULTS_NOT_STORED', text: 'Results cannot be stored' }] },
  })
  expect(await metric('vedette_ready')).toBe(0)
  expect(await metric('vedette_ingest_failing_seconds')).toBeGreaterThan(10)
  expect((await app.inject('/-/liveness')).statusCode).toBe(200)
  await deliverFor(40_000)
  const [alert] = await receiver.received(1)
  expect(JSON.parse(alert?.body ?? '{}')).toMatchObject({
    ALERT_TYPE: 'ALERT_SYSTEM',
    CHECK_ERROR_MESSAGE: expect.stringContaining('No space left on device') as string,
  })
  expect(commits).toBeLessThan(40)

  await makeRoom()
  expect(await deliverFor(10_000)).toBeGreaterThan(0)
  expect(await readiness()).toMatchObject({ status: 200 })
  await clock.advance(310_000)
  await receiver.received(2)
  expect(receiver.deliveries.map(({ body }) => (JSON.parse(body) as { ALERT_TYPE: string }).ALERT_TYPE)).toEqual([
    'ALERT_SYSTEM',
    'ALERT_SYSTEM_RECOVERY',
  ])
})
