import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkTypeOf, type Definition } from '@vedette/checks'
import { givenAccount, useEmptyDatabase } from '../../test-support/database.ts'
import { claimDue } from '../alerting/delivery/outbox-store.ts'
import { isRowFault } from '../ingest/database-faults.ts'
import { readAlertState } from '../alerting/state/alert-state.ts'
import { resolveCheck, type OwnSettings } from '../settings/resolve-check.ts'
import { readAccountSettings, resolveChecks } from '../settings/store.ts'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { ensurePartitions } from './partitions.ts'

const database = useEmptyDatabase()
let db: Database
let firstMigrations: string

beforeAll(async () => {
  db = database.db
  firstMigrations = await mkdtemp(join(tmpdir(), 'vedette-first-'))
  await copyFile(new URL('./migrations/0001_first.sql', import.meta.url), join(firstMigrations, '0001_first.sql'))
  await migrate(db, pathToFileURL(`${firstMigrations}/`))
  await ensurePartitions(db, Date.now())
})
afterAll(async () => {
  await rm(firstMigrations, { recursive: true })
})

const checkId = '11111111-2222-4333-8444-555555555555'
const triggering = { resultId: checkId, location: 'eu-west-1', cause: 'down' }

/** The state that the first version stored for a parallel check that fails at one location, with its alert sent. */
const firstState = {
  version: 1,
  condition: 'failing',
  dueAt: 1000,
  seenAt: 2000,
  since: 500,
  runs: 3,
  told: 'failing',
  raised: 'degraded',
  toldAt: 1500,
  owed: true,
  owedRecovery: { type: 'ALERT_RECOVERY', told: true },
  places: { 'eu-west-1': { dueAt: 2000, condition: 'failing' } },
  open: [
    { dueAt: 2000, late: false, results: { 'eu-west-1': 'failing' }, witnesses: { failing: triggering } },
    { dueAt: 3000, late: true, results: {}, witnesses: {} },
  ],
}

/** Checks as the first version stored them, and the target of each. */
const looksAt: [type: string, request: object, target: string][] = [
  ...[
    'HTTPS://Shop.Example:443?q=1#top',
    'http://shop.example:443/a@b',
    'http://user:p@ss@shop.example:80',
    'https://[::1]:8443/',
    'https://{{HOST}}:9000/health',
    'https://{{ HOST }}/health',
    '{{BASE_URL}}/health',
  ].map((url): [string, object, string] => ['API', { url }, url]),
  ['API', { url: 'https://shop.example/{{PATH}}?q=1' }, 'https://shop.example/{{PATH}}?q=1'],
  ['TCP', { hostname: 'db.example', port: 5432 }, 'db.example:5432'],
  ['TCP', { hostname: '::1', port: 80 }, '[::1]:80'],
  ['TCP', { hostname: '[::1]', port: 81 }, '[::1]:81'],
]

async function givenFirstChecks(account: string): Promise<void> {
  for (const [type, request] of looksAt) {
    await db.pool.query(
      `INSERT INTO checks (id, account_id, type, name, activated, tags, definition, secrets, offset_sent, revision, version,
         created_at) VALUES (gen_random_uuid(), $1, $2, 'looks', true, '{}', $3, '{}', false, 1, 1, now())`,
      [account, type, JSON.stringify({ name: 'looks', request })],
    )
  }
}

async function givenFirstData(): Promise<void> {
  const account = await givenAccount(db)
  await givenFirstChecks(account)
  await db.pool.query(
    `INSERT INTO checks (id, account_id, type, name, activated, tags, definition, secrets, offset_sent, revision, version,
       created_at) VALUES ($1, $2, 'API', 'Shop', true, '{}', $3, '{}', false, 1, 1, now())`,
    [checkId, account, JSON.stringify({ name: 'Shop', frequency: 1, frequencyOffset: 1, locations: ['eu-west-1'] })],
  )
  await db.pool.query(
    `INSERT INTO check_status (check_id, account_id, state, alert_state, created_at) VALUES ($1, $2, 'failing', $3, now())`,
    [checkId, account, JSON.stringify(firstState)],
  )
  await db.pool.query(
    `INSERT INTO pending_runs (attempt_id, account_id, check_id, revision, type, due_at, run_at, location, lane, attempt,
       sequence_id, source, created_at) VALUES ($1, $2, $1, 1, 'API', now(), now(), 'eu-west-1', 'network', 1, $1, 'SCHEDULER', now())`,
    [checkId, account],
  )
  for (const [id, illness] of [
    ['00000000-0000-8000-8000-000000000001', null],
    ['00000000-0000-8000-8000-000000000002', { code: 'STALLED', text: 'stood still' }],
  ]) {
    await db.pool.query(
      `INSERT INTO check_results (due_at, id, account_id, check_id, revision, location, result_type, outcome, has_failures,
         has_errors, is_degraded, over_max, attempts, check_run_id, sequence_id, received_at, late, emulated,
         clock_offset_ms, timing_uncertainty_ms, source, body)
       VALUES (now(), $1, $2, $3, 1, 'eu-west-1', 'FINAL', 'unknown', false, true, false, false, 0, 1, $3, now(), false,
         true, 0, 0, 'SCHEDULER', $4)`,
      [id, account, checkId, JSON.stringify({ result: {}, illness, metrics: {} })],
    )
  }
}

/** Two alerts and their notifications, the younger stored first. */
async function givenFirstAlerts(account: string): Promise<void> {
  for (const [type, minute] of [
    ['ALERT_RECOVERY', 2],
    ['ALERT_FAILURE', 1],
  ] as const) {
    const at = new Date(Date.UTC(2026, 0, 1, 0, minute))
    const message = { alertType: type, checkId }
    await db.pool.query(
      `WITH alert AS (
         INSERT INTO check_alerts (id, account_id, check_id, alert_type, result_id, result_due_at, revision, location, created_at)
         VALUES (gen_random_uuid(), $1, $2, $3, $2, $4, 1, 'eu-west-1', $4) RETURNING id)
       INSERT INTO alert_notifications (id, account_id, alert_id, check_id, check_name, check_type, channel_id, channel_type,
         alert_config, message, status, next_attempt_at, due_at, decided_at, queued_at)
       SELECT gen_random_uuid(), $1, id, $2, 'Shop', 'API', 1, 'EMAIL', '{}', $5, 'IN_PROGRESS', $4, $4, $4, $4 FROM alert`,
      [account, checkId, type, at, JSON.stringify(message)],
    )
  }
}

/** Definitions as the first version stored them, and shorter ones. */
const definitions: Record<string, unknown>[] = [
  { frequency: 10, frequencyOffset: 3, locations: ['eu-west-1', 'us-east-1'], privateLocations: null, muted: true },
  { frequency: 0, frequencyOffset: 10, locations: null, privateLocations: null, runParallel: true, doubleCheck: true },
  { frequency: 5, frequencyOffset: 1, locations: [], privateLocations: [], doubleCheck: false, retryStrategy: null },
  {
    frequency: 1,
    frequencyOffset: 1,
    muted: false,
    doubleCheck: true,
    useGlobalAlertSettings: true,
    retryStrategy: { type: 'LINEAR', baseBackoffSeconds: 5, sameRegion: false, maxRetries: 4, maxDurationSeconds: 60 },
    alertSettings: { reminders: { amount: 5 } },
  },
  {
    frequency: 1,
    frequencyOffset: 1,
    locations: ['eu-west-2'],
    useGlobalAlertSettings: false,
    retryStrategy: { type: 'SINGLE_RETRY', maxRetries: 7, onlyOn: ['NETWORK_ERROR'] },
    alertSettings: { escalationType: 'TIME_BASED', parallelRunFailureThreshold: { enabled: true } },
  },
  { frequency: 1440, frequencyOffset: 1, useGlobalAlertSettings: false, alertSettings: null },
  {},
]

/** Those of an older revision. */
const otherSettings = { frequency: 30, frequencyOffset: 2, locations: ['af-south-1'], retryStrategy: null }

async function givenDefinitions(): Promise<string> {
  const account = await givenAccount(db)
  await db.pool.query('UPDATE accounts SET alert_settings = $2 WHERE id = $1', [
    account,
    JSON.stringify({ runBasedEscalation: { failedRunThreshold: 3 }, sslCertificates: { enabled: true } }),
  ])
  for (const definition of definitions) {
    await db.pool.query(
      `WITH made AS (
         INSERT INTO checks (id, account_id, type, name, activated, tags, definition, secrets, offset_sent, revision, version,
           created_at) VALUES (gen_random_uuid(), $1, 'API', 'Shop', true, '{}', $2, '{}', false, 3, 3, now()) RETURNING *)
       INSERT INTO check_revisions (check_id, revision, account_id, type, name, definition, secrets, created_at)
       SELECT id, nr, account_id, type, name, CASE nr WHEN 1 THEN $3 ELSE definition END, secrets, now()
       FROM made, generate_series(1, 3) nr`,
      [account, JSON.stringify(definition), JSON.stringify({ ...definition, ...otherSettings })],
    )
  }
  return account
}

test('data written by the first version is carried over', async () => {
  await givenFirstData()
  const account = await givenDefinitions()
  await givenFirstAlerts(account)
  await migrate(db)
  await expectSettings(account)
  const states = await db.pool.query<{ alert_state: unknown }>('SELECT alert_state FROM check_status')
  expect(readAlertState(states.rows[0]?.alert_state)).toEqual({
    version: 3,
    condition: 'failing',
    dueAt: 1000,
    seenAt: 2000,
    since: 500,
    runs: 3,
    notified: 'failing',
    recorded: 'degraded',
    notifiedAt: 1500,
    pending: true,
    pendingRecovery: { type: 'ALERT_RECOVERY', notified: true },
    locations: {
      'eu-west-1': { dueAt: 2000, condition: 'failing', run: 1, late: false, triggeringResult: triggering },
    },
    run: { number: 1, decided: 0, condition: 'unknown' },
    unwatched: null,
    held: null,
  })
  const pending = await db.pool.query('SELECT worker_class FROM pending_runs')
  expect(pending.rows).toEqual([{ worker_class: 'network' }])
  const bodies = await db.pool.query<{ body: unknown }>('SELECT body FROM check_results ORDER BY id')
  expect(bodies.rows.map(({ body }) => body)).toEqual([
    { result: {}, illness: null, metrics: {} },
    { result: {}, internalError: { code: 'STALLED', text: 'stood still' }, metrics: {} },
  ])
})

/** The migration computes in SQL what `resolveCheck` computes: resolving again changes nothing. */
async function expectSettings(account: string): Promise<void> {
  const { rows } = await db.pool.query<{
    definition: OwnSettings
    effective: unknown
    oldest: unknown
    older: unknown
    newest: unknown
  }>(
    `SELECT c.definition, c.effective, oldest.effective AS oldest, older.effective AS older, newest.effective AS newest
     FROM checks c
     JOIN check_revisions oldest ON oldest.check_id = c.id AND oldest.revision = 1
     JOIN check_revisions older ON older.check_id = c.id AND older.revision = 2
     JOIN check_revisions newest ON newest.check_id = c.id AND newest.revision = 3 WHERE c.account_id = $1`,
    [account],
  )
  expect(rows).toHaveLength(definitions.length)
  const settings = await readAccountSettings(db.pool, account)
  const stored = (definition: OwnSettings) => {
    const { activated: _, tags: __, ...expected } = resolveCheck(definition, undefined, settings)
    return expected
  }
  for (const { definition, effective, oldest, older, newest } of rows) {
    expect(effective).toEqual(stored(definition))
    expect(older).toEqual(stored(definition))
    expect(oldest).toEqual(stored({ ...definition, ...otherSettings } as OwnSettings))
    expect(newest).toBeNull()
  }
  expect((await resolveChecks(db.pool, { account, at: new Date() })).changed).toEqual([])
}

test('its alerts and notifications keep their order, and new ones come after them', async () => {
  await db.pool.query(
    `INSERT INTO check_alerts (id, account_id, alert_type, created_at) VALUES (gen_random_uuid(), $1, 'ALERT_SYSTEM', '2025-01-01')`,
    [checkId],
  )
  const alerts = await db.pool.query<{ alert_type: string }>('SELECT alert_type FROM check_alerts ORDER BY seq')
  expect(alerts.rows.map((row) => row.alert_type)).toEqual(['ALERT_FAILURE', 'ALERT_RECOVERY', 'ALERT_SYSTEM'])
  const claim = { holder: checkId, leaseMs: 60_000, limit: 10, perChannel: 4, underWay: [] }
  const claimed = await claimDue(db.pool, claim)
  expect(claimed.map(({ message }) => message.alertType)).toEqual(['ALERT_FAILURE'])
})

test('what its checks look at is the text their types give', async () => {
  const { rows } = await db.pool.query<{ type: string; definition: Definition; target: string; host: string }>(
    `SELECT type, definition, target, host FROM checks WHERE name = 'looks'`,
  )
  expect(rows.map(({ target }) => target).toSorted()).toEqual(looksAt.map(([, , target]) => target).toSorted())
  for (const { type, definition, target, host } of rows) {
    expect(checkTypeOf(type)?.target(definition)).toBe(target)
    expect(checkTypeOf(type)?.describe(definition).host).toBe(host)
  }
})

test('a server of the first version that still runs stores nothing, and takes that for a passing trouble', async () => {
  const writing = db.pool.query('UPDATE check_status SET alert_state = $2 WHERE check_id = $1', [
    checkId,
    JSON.stringify(firstState),
  ])
  const refused: unknown = await writing.catch((error: unknown) => error)
  expect(refused).toMatchObject({ message: expect.stringContaining('older version') })
  expect(isRowFault(refused)).toBe(false)
})
