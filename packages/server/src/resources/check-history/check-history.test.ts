import type { CheckHistory } from '@vedette/wire'
import { expect, test } from 'vitest'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { givenCheck } from '../../../test-support/checks.ts'
import { useEmptiedDatabase } from '../../../test-support/database.ts'
import { useIngest } from '../../../test-support/ingest.ts'
import { deletePrivateLocation, givenPrivateLocation } from '../../../test-support/private-locations.ts'
import { givenManyResults, onResults, rowReads } from '../../../test-support/result-plans.ts'
import { recordingStatements } from '../../../test-support/recorded-statements.ts'
import { incomingResult } from '../../../test-support/results.ts'
import { readHistory } from './read-history.ts'

// Gaps of the whole installation concern every account.
const database = useEmptiedDatabase()
const at = useIngest(database)
const minute = 60_000
const start = () => Math.floor(at.now / minute) * minute - 60 * minute
const iso = (offset: number) => new Date(start() + offset * minute).toISOString()

async function read(api: TestApi, checkId: string, query = `from=${start() / 1000}&to=${start() / 1000 + 1800}`) {
  const { status, body } = await api.call('GET', `/v1/checks/${checkId}/history?${query}`)
  return { status, body: body as unknown as CheckHistory }
}

test('a history has the numbers of all runs, of each location in buckets, and the times of trouble', async () => {
  const api = await givenApi(database.db)
  const office = await givenPrivateLocation(database.db, api.accountId, 'office')
  const retryStrategy = { type: 'SINGLE_RETRY', baseBackoffSeconds: 0, sameRegion: true }
  const check = await givenCheck(database, {
    accountId: api.accountId,
    definition: { retryStrategy, locations: ['eu-west-1'], privateLocations: [office] },
  })
  const take = (offset: number, parts: Parameters<typeof incomingResult>[2] = {}) =>
    at.take([incomingResult(check, start() + offset * minute, parts)])
  await take(-1, { outcome: 'fail', attempt: 1 })
  await take(0)
  await take(1, { outcome: 'fail' })
  await take(1, { attempt: 1, report: { responseMs: 100 } })
  await take(2, { outcome: 'fail' })
  await take(2, { outcome: 'fail', attempt: 1 })
  await take(3, { outcome: 'unknown' })
  await take(4, { degraded: true, report: { responseMs: 900 } })
  await take(5, { location: office, report: { responseMs: 20 } })
  await take(30)
  await deletePrivateLocation(database.db, office)
  const { body } = await read(api, check.id)
  expect(body).toMatchObject({ from: iso(0), to: iso(30), bucketMs: 10_000, locations: ['eu-west-1', 'office'] })
  expect(body.summary).toEqual({
    runs: 6,
    passed: 3,
    degraded: 1,
    failed: 1,
    unknown: 1,
    retried: 2,
    uptime: 4 / 5,
    p50: 400,
    p95: 900,
  })
  expect(body.buckets.map(({ at: begins, location, runs, max }) => [begins, location, runs, max])).toEqual([
    [iso(0), 'eu-west-1', 1, 400],
    [iso(1), 'eu-west-1', 1, 100],
    [iso(2), 'eu-west-1', 1, 400],
    [iso(3), 'eu-west-1', 1, null],
    [iso(4), 'eu-west-1', 1, 900],
    [iso(5), 'office', 1, 20],
  ])
  expect(body.spans).toEqual([
    { kind: 'failing', from: iso(2), to: iso(4), location: 'eu-west-1', reason: null },
    { kind: 'degraded', from: iso(4), to: iso(4), location: 'eu-west-1', reason: null },
  ])
})

test('a history shows when the check was not watched, cut to the range, and when it was changed', async () => {
  const api = await givenApi(database.db)
  const { body: made } = await api.call('POST', '/v1/checks/api', {
    body: { name: 'Shop', locations: ['eu-west-1'], request: { url: 'https://shop.example' } },
  })
  const checkId = String(made['id'])
  await api.call('PUT', `/v1/checks/api/${checkId}`, { body: { request: { url: 'https://stock.example' } } })
  const gap = (
    account: string | null,
    scope: string,
    more: { check?: string; location?: string; from: number; to: number },
  ) =>
    database.db.pool.query(
      `INSERT INTO coverage_gaps (account_id, scope, check_id, location, from_at, to_at, reason) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [
        account,
        scope,
        more.check ?? null,
        more.location ?? null,
        iso(more.from),
        iso(more.to),
        `${scope} ${more.from}`,
      ],
    )
  const stranger = await givenApi(database.db)
  await gap(null, 'installation', { from: -5, to: 2 })
  await gap(null, 'location', { location: 'eu-west-1', from: 4, to: 5 })
  await gap(null, 'location', { location: 'us-east-1', from: 6, to: 7 })
  await gap(api.accountId, 'check', { check: checkId, from: 29, to: 40 })
  await gap(api.accountId, 'check', { check: stranger.accountId, from: 8, to: 9 })
  await gap(stranger.accountId, 'account', { from: 10, to: 11 })
  await gap(null, 'installation', { from: 30, to: 31 })
  const { body } = await read(api, checkId)
  expect(body.spans).toEqual([
    { kind: 'not-watched', from: iso(0), to: iso(2), location: null, reason: 'installation -5' },
    { kind: 'not-watched', from: iso(4), to: iso(5), location: 'eu-west-1', reason: 'location 4' },
    { kind: 'not-watched', from: iso(29), to: iso(30), location: null, reason: 'check 29' },
  ])
  expect(body.changes).toEqual([])
  const later = await read(api, checkId, `from=${start() / 1000}`)
  expect(later.body.changes.map(({ revision }) => revision)).toEqual([1, 2])
})

test('a history of a check that the account does not have is a 404, of a bad range a 400', async () => {
  const [api, stranger] = [await givenApi(database.db), await givenApi(database.db)]
  const check = await givenCheck(database, { accountId: stranger.accountId })
  expect((await read(api, check.id)).status).toBe(404)
  expect((await read(stranger, check.id)).status).toBe(200)
  const refused = await read(stranger, check.id, 'from=1700000000&to=1600000000')
  expect(refused.body).toMatchObject({ statusCode: 400, message: expect.stringContaining('before "to"') })
})

test('a history is read from indexes alone', async () => {
  const checks = [await at.given(), await at.given()]
  await givenManyResults(database.db, checks, { until: start(), number: 4000 })
  const { db, statements } = recordingStatements(database.db)
  const asked = { account: at.accountId, checkId: checks[0]?.id ?? '', from: start() - 86_400_000, to: start() }
  const history = await readHistory(db, { ...asked, bucketMs: 300_000 })
  expect(history?.summary).toMatchObject({ runs: 4000, degraded: 40 })
  expect(onResults(statements)).not.toEqual([])
  for (const statement of onResults(statements)) expect(await rowReads(database.db, statement)).toEqual([])
})
