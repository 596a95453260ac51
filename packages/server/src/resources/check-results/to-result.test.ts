import { checkResult, checkTypes } from '@vedette/checks'
import { beforeAll, expect, test } from 'vitest'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { TestClock } from '../../../test-support/clock.ts'
import { testBaseUrl } from '../../../test-support/http.ts'
import { useDatabase } from '../../../test-support/database.ts'
import { givenCheck } from '../../../test-support/checks.ts'
import { incomingResult, type ResultParts } from '../../../test-support/results.ts'
import { Ingest } from '../../ingest/index.ts'
import { readResult } from './store.ts'
import { toResult } from './to-result.ts'

const database = useDatabase()
const now = Math.floor(Date.now() / 1000) * 1000
const refusal = { phase: 'tcp', code: 'ECONNREFUSED', text: 'The connection was refused', network: true }
let api: TestApi

beforeAll(async () => {
  api = await givenApi(database.db)
})

/** A result that was reported, ingested and stored. */
async function stored(type: string, parts: ResultParts) {
  const { db } = database
  const check = await givenCheck({ db }, { accountId: api.accountId })
  await db.pool.query('UPDATE checks SET type = $2 WHERE id = $1', [check.id, type])
  const clock = new TestClock(now)
  const ingest = new Ingest({ db, clock })
  const result = incomingResult(check, now - 2000, parts)
  const accepted = ingest.accept([result])
  await clock.advance(500)
  expect((await accepted).rejected).toEqual([])
  await ingest.stop()
  return { account: api.accountId, checkId: check.id, resultId: result.identity.attemptId }
}

/** Without evidence, which results of passive types always have. */
const scheduled = checkTypes.filter(({ mode }) => mode.kind === 'scheduled')

test.each(scheduled.map((type) => [type.type, type] as const))(
  'a stored result of type %s is the schema of results, field for field, and is answered whole',
  async (name, type) => {
    const made = type.toResult({}, { evidence: undefined, error: refusal, assertions: [], cut: false })
    const part = type.resultKey === null ? {} : { [type.resultKey]: made }
    const report = { result: part, error: refusal, metrics: { responseTime: 1.5 } }
    const id = await stored(name, { outcome: 'fail', identity: { type: type.type }, report })
    const row = await readResult(database.db.pool, id)
    const result = row && toResult(row, testBaseUrl)
    expect(checkResult.strict().parse(result)).toEqual(result)
    expect(result).toMatchObject({ checkType: name, outcome: 'fail', error: refusal, ...part })
    const { text } = await api.call('GET', `/v1/check-results/${id.checkId}/${id.resultId}`)
    expect(JSON.parse(text)).toEqual(result)
  },
)

test('a result that could not be judged has every field too', async () => {
  const row = await readResult(database.db.pool, await stored('API', { outcome: 'unknown' }))
  const result = row && toResult(row, testBaseUrl)
  expect(checkResult.strict().parse(result)).toEqual(result)
  expect(result).toMatchObject({ apiCheckResult: null, internalError: { code: 'STALLED' }, metrics: {} })
})

test('what an agent of another version reports besides is answered as it was stored', async () => {
  const part = { response: { status: 200, protocolOfTomorrow: 'h4' } }
  const { checkId, resultId } = await stored('API', { report: { result: { apiCheckResult: part } } })
  const { body } = await api.call('GET', `/v1/check-results/${checkId}/${resultId}`)
  expect(body['apiCheckResult']).toEqual(part)
})

test('nothing an agent reports besides the parts takes the place of another field', async () => {
  const confusing = { id: 'other', hasFailures: false, outcome: 'pass', checkId: null, toString: 1, extra: 1 }
  const id = await stored('API', { outcome: 'fail', report: { result: { ...confusing, apiCheckResult: { a: 1 } } } })
  const { body } = await api.call('GET', `/v1/check-results/${id.checkId}/${id.resultId}`)
  expect(body).toMatchObject({ id: id.resultId, checkId: id.checkId, hasFailures: true, outcome: 'fail' })
  expect(body['apiCheckResult']).toEqual({ a: 1 })
})

test('a result whose evidence was too large to keep is answered with its verdict', async () => {
  const numbers = Object.fromEntries(Array.from({ length: 40_000 }, (_, n) => [`n${n}`, n / 7]))
  const id = await stored('API', { outcome: 'fail', report: { result: { apiCheckResult: numbers }, error: refusal } })
  const { status, body } = await api.call('GET', `/v1/check-results/${id.checkId}/${id.resultId}`)
  expect(status).toBe(200)
  expect(body).toMatchObject({ outcome: 'fail', apiCheckResult: null, error: refusal })
})
