import { expect, test } from 'vitest'
import { useDatabase } from '../../../test-support/database.ts'
import { useIngest } from '../../../test-support/ingest.ts'
import { givenPrivateLocation } from '../../../test-support/private-locations.ts'
import { givenManyResults, onResults, rowReads } from '../../../test-support/result-plans.ts'
import { recordingStatements } from '../../../test-support/recorded-statements.ts'
import { incomingResult } from '../../../test-support/results.ts'
import { overviewStore } from './store.ts'

const database = useDatabase()
const at = useIngest(database)

async function rowOf(accountId: string) {
  const filter = { accountId, nowMs: at.now, tags: [], types: [], states: [] }
  const [row] = await overviewStore(database.db).page(filter, { sort: 'trouble', limit: 1, page: 1 })
  if (row === undefined) throw new Error('The account has no check.')
  return row
}

test('a row shows the outcome of each of its last runs, how often it was retried, and the time the last one took', async () => {
  const check = await at.given({
    retryStrategy: { type: 'FIXED', maxRetries: 2, baseBackoffSeconds: 0, sameRegion: true },
  })
  const office = await givenPrivateLocation(database.db, at.accountId, 'office')
  const minute = 60_000
  await at.take([incomingResult(check, at.now - 6 * minute, { location: office })])
  await at.take([incomingResult(check, at.now - 5 * minute, { degraded: true })])
  await at.take([incomingResult(check, at.now - 4 * minute, { outcome: 'unknown' })])
  await at.take([incomingResult(check, at.now - 3 * minute, { outcome: 'fail' })])
  await at.take([incomingResult(check, at.now - 3 * minute, { attempt: 1, report: { responseMs: 80 } })])
  for (const attempt of [0, 1, 2]) await at.take([incomingResult(check, at.now - minute, { outcome: 'fail', attempt })])
  const { runs, lastMs } = await rowOf(at.accountId)
  expect(
    runs.map(({ outcome, degraded, retries, ms, location }) => [outcome, degraded, retries, ms, location]),
  ).toEqual([
    ['pass', false, 0, 400, 'office'],
    ['pass', true, 0, 400, 'eu-west-1'],
    ['unknown', false, 0, null, 'eu-west-1'],
    ['pass', false, 1, 80, 'eu-west-1'],
    ['fail', false, 2, 400, 'eu-west-1'],
  ])
  expect(runs.map((run) => Date.parse(run.at) - at.now)).toEqual([-6, -5, -4, -3, -1].map((each) => each * minute))
  expect(lastMs).toBe(400)
  await at.take([incomingResult(check, at.now, { outcome: 'unknown' })])
  expect((await rowOf(at.accountId)).lastMs).toBeNull()
})

test('a strip has the newest thirty runs', async () => {
  const check = await at.given()
  const due = Array.from({ length: 33 }, (_, index) => at.now - index * 1000)
  await at.take(due.map((dueAt) => incomingResult(check, dueAt)))
  const { runs } = await rowOf(at.accountId)
  expect(runs.map((run) => Date.parse(run.at))).toEqual(due.slice(0, 30).toReversed())
})

test('strips are read from indexes alone', async () => {
  const checks = [await at.given(), await at.given()]
  await givenManyResults(database.db, checks, { until: at.now, number: 2000 })
  const { db, statements } = recordingStatements(database.db)
  const filter = { accountId: at.accountId, nowMs: at.now, tags: [], types: [], states: [] }
  const rows = await overviewStore(db).page(filter, { sort: 'trouble', limit: 2, page: 1 })
  expect(rows.map(({ runs }) => runs.length)).toEqual([30, 30])
  expect(onResults(statements)).toHaveLength(2)
  for (const statement of onResults(statements)) expect(await rowReads(database.db, statement)).toEqual([])
})
