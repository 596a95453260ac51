import { randomUUID } from 'node:crypto'
import { attemptId, sequenceId } from '@vedette/wire/ids'
import { beforeAll, describe, expect, test } from 'vitest'
import { useDatabase } from '../../../test-support/database.ts'
import { copyCheck, givenCheck } from '../../../test-support/checks.ts'
import { givenSession } from '../../../test-support/http.ts'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { deletePrivateLocation, givenPrivateLocation } from '../../../test-support/private-locations.ts'

const database = useDatabase()
const minute = 60_000
const now = Math.floor(Date.now() / 1000) * 1000
let api: TestApi
let checkId: string

interface Stored {
  dueAt: number
  location?: string
  failed?: boolean
  resultType?: 'FINAL' | 'ATTEMPT'
  attempt?: number
  started?: boolean
}

async function givenCheckWith(results: readonly Stored[], owner = api): Promise<string> {
  const body = { name: 'Shop', request: { url: 'https://shop.example' } }
  const created = await owner.call('POST', '/v1/checks/api', { body })
  const id = String(created.body.id)
  for (const result of results) await store(owner.accountId, id, result)
  return id
}

async function store(account: string, check: string, result: Stored): Promise<string> {
  const { dueAt, location = 'eu-west-1', failed = false, resultType = 'FINAL', attempt = 0, started = true } = result
  const sequence = sequenceId(check, dueAt, location)
  const id = attemptId(sequence, dueAt, attempt)
  const body = {
    result: { apiCheckResult: { response: { status: failed ? 500 : 200 }, requestError: null } },
    verdict: { outcome: failed ? 'fail' : 'pass' },
    error: null,
    internalError: null,
    metrics: { responseTime: 120.5 },
  }
  await database.db.pool.query(
    `INSERT INTO check_results (due_at, id, account_id, check_id, revision, location, result_type, outcome, has_failures,
       has_errors, is_degraded, over_max, attempts, check_run_id, sequence_id, response_ms, started_at, stopped_at,
       received_at, late, emulated, clock_offset_ms, timing_uncertainty_ms, source, cause, body)
     VALUES ($1, $2, $3, $4, 1, $5, $6, $7, $8, false, false, false, $9, $10, $11, 120.5, $12, $13, $13, false, true, 0, 1,
       'SCHEDULER', $14, $15)`,
    [
      new Date(dueAt),
      id,
      account,
      check,
      location,
      resultType,
      failed ? 'fail' : 'pass',
      failed,
      attempt,
      dueAt,
      sequence,
      started ? new Date(dueAt + 500) : null,
      new Date(dueAt + 700),
      failed ? 'Expected a status below 400, got 500' : null,
      JSON.stringify(body),
    ],
  )
  return id
}

beforeAll(async () => {
  api = await givenApi(database.db)
  checkId = await givenCheckWith([
    ...[1, 2, 3, 4, 5].map((n) => ({ dueAt: now - n * minute })),
    { dueAt: now - 6 * minute, failed: true, location: 'us-east-1', attempt: 1 },
    { dueAt: now - 6 * minute, failed: true, location: 'us-east-1', resultType: 'ATTEMPT' as const },
    { dueAt: now - 7 * minute, started: false },
  ])
})

const ids = (answer: { body: Record<string, unknown> }) => (answer.body.entries as { id: string }[]).map(({ id }) => id)

describe('the cursor list', () => {
  test('reads every final result once, newest first', async () => {
    const seen: string[] = []
    let next: unknown
    do {
      const cursor = typeof next === 'string' ? `&nextId=${next}` : ''
      const answer = await api.call('GET', `/v2/check-results/${checkId}?limit=3${cursor}`)
      expect(answer.body.length).toBe(ids(answer).length)
      seen.push(...ids(answer))
      next = answer.body.nextId
    } while (next !== null)
    expect(seen).toHaveLength(7)
    expect(new Set(seen).size).toBe(7)
    expect(seen).toEqual(seen.toSorted().toReversed())
  })

  test('reads the attempts of each run from the last to the first, page by page', async () => {
    const runs = [1, 2, 3].flatMap((n) =>
      [0, 1, 2, 3].map((attempt) => ({
        dueAt: now - n * minute,
        failed: true,
        attempt,
        resultType: attempt === 3 ? ('FINAL' as const) : ('ATTEMPT' as const),
      })),
    )
    const retried = await givenCheckWith(runs)
    const seen: unknown[] = []
    let next: string | null = ''
    while (next !== null) {
      const cursor = next === '' ? '' : `&nextId=${next}`
      const path = `/v2/check-results/${retried}?resultType=ALL&limit=5&fields=dueAt,attempts${cursor}`
      const { body } = await api.call('GET', path)
      seen.push(...(body.entries as unknown[]))
      next = body.nextId as string | null
    }
    const newestFirst = runs.toSorted((a, b) => b.dueAt - a.dueAt || b.attempt - a.attempt)
    expect(seen).toEqual(
      newestFirst.map(({ dueAt, attempt }) => ({ dueAt: new Date(dueAt).toISOString(), attempts: attempt })),
    )
  })

  test('answers the attempts of one run alone, however late they started', async () => {
    const dueAt = now - minute
    const retried = await givenCheckWith([
      { dueAt, failed: true, resultType: 'ATTEMPT' },
      { dueAt, attempt: 1 },
      { dueAt, location: 'us-east-1' },
      { dueAt: dueAt - minute },
    ])
    const ofRun = async (sequence: string) =>
      api.call('GET', `/v2/check-results/${retried}?resultType=ALL&sequenceId=${sequence}`)
    const { body } = await ofRun(sequenceId(retried, dueAt, 'eu-west-1'))
    expect(body.entries).toMatchObject([{ attempts: 1 }, { attempts: 0 }])
    expect((await ofRun(randomUUID())).body.entries).toEqual([])
    expect(await ofRun('x')).toMatchObject({ status: 400 })
  })

  test('of private locations go by their slug, and are found by it, also once the location is deleted', async () => {
    const own = await givenApi(database.db)
    const office = await givenPrivateLocation(database.db, own.accountId, 'office')
    const theirs = await givenPrivateLocation(database.db, api.accountId, 'office')
    const id = await givenCheckWith([{ dueAt: now - minute, location: office }, { dueAt: now - 2 * minute }], own)
    const found = async (search: string) => {
      const { body } = await own.call('GET', `/v2/check-results/${id}?fields=id,runLocation${search}`)
      return body.entries as { id: string; runLocation: string }[]
    }
    expect((await found('')).map(({ runLocation }) => runLocation)).toEqual(['office', 'eu-west-1'])
    await deletePrivateLocation(database.db, office)
    await givenPrivateLocation(database.db, own.accountId, 'office')
    const [seen, ...others] = await found('&location=office')
    expect([seen?.runLocation, others]).toEqual(['office', []])
    expect((await own.call('GET', `/v1/check-results/${id}/${seen?.id}`)).body).toMatchObject({ runLocation: 'office' })
    expect(await own.call('GET', `/v2/check-results/${id}?location=${theirs}`)).toMatchObject({ status: 400 })
    expect((await own.call('GET', `/v1/check-results/${id}?location=office`)).list).toHaveLength(1)
  })

  test.each([
    ['location=us-east-1', 1],
    ['hasFailures=true', 1],
    ['hasFailures=false', 6],
    ['resultType=ATTEMPT', 1],
    ['resultType=ALL', 8],
    ['checkType=API', 7],
    ['checkType=TCP', 0],
    [`from=${(now - 3 * minute) / 1000}`, 3],
    [`to=${(now - 3 * minute) / 1000}`, 4],
    [`from=${(now - 5 * minute) / 1000}&to=${(now - 2 * minute) / 1000}`, 3],
    [`to=${(now - 7 * minute) / 1000 + 0.4}`, 1],
  ])('?%s answers %i results', async (search, count) => {
    const answer = await api.call('GET', `/v2/check-results/${checkId}?limit=100&${search}`)
    expect(answer.status).toBe(200)
    expect(ids(answer)).toHaveLength(count)
  })

  test('fields cuts the entries down', async () => {
    const answer = await api.call(
      'GET',
      `/v2/check-results/${checkId}?limit=1&fields=id,responseTime&fields=hasFailures`,
    )
    expect(answer.body.entries).toEqual([{ id: expect.any(String), responseTime: 120.5, hasFailures: false }])
    const withBody = await api.call('GET', `/v2/check-results/${checkId}?limit=1&fields=apiCheckResult`)
    expect(withBody.body.entries).toEqual([{ apiCheckResult: { response: { status: 200 }, requestError: null } }])
  })

  test.each([
    [`from=${now / 1000}&to=${now / 1000 - 60}`, '"from" must not be after "to"'],
    ['nextId=abc', '"nextId" must be the "nextId" of an earlier answer'],
    ['location=moon', '"location" must be one of'],
    ['resultType=SOME', '"resultType" must be one of "FINAL"'],
    ['fields=id,secret', '"fields.1" must be one of'],
    ['limit=0', '"limit" must be at least 1'],
  ])('?%s is a 400', async (search, message) => {
    const answer = await api.call('GET', `/v2/check-results/${checkId}?${search}`)
    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain(message.replaceAll('"FINAL"', 'FINAL'))
  })
})

describe('one result', () => {
  test('is answered in the shape of the contract', async () => {
    const [id] = ids(await api.call('GET', `/v2/check-results/${checkId}?hasFailures=true`))
    const answer = await api.call('GET', `/v1/check-results/${checkId}/${String(id)}`)
    expect(answer.body).toMatchObject({
      id,
      checkId,
      name: 'Shop',
      checkType: 'API',
      resultType: 'FINAL',
      hasFailures: true,
      hasErrors: false,
      isDegraded: false,
      isCancelled: false,
      overMaxResponseTime: false,
      runLocation: 'us-east-1',
      startedAt: new Date(now - 6 * minute + 500).toISOString(),
      dueAt: new Date(now - 6 * minute).toISOString(),
      responseTime: 120.5,
      checkRunId: now - 6 * minute,
      attempts: 1,
      errorGroupIds: [],
      cause: 'Expected a status below 400, got 500',
      emulatedLocation: true,
      apiCheckResult: { response: { status: 500 } },
      browserCheckResult: null,
      multiStepCheckResult: null,
      metrics: { responseTime: 120.5 },
    })
  })

  test('of another check, another account or nobody is a 404', async () => {
    const [id] = ids(await api.call('GET', `/v2/check-results/${checkId}?limit=1`))
    const otherCheck = await givenCheckWith([])
    const other = await givenApi(database.db)
    expect((await api.call('GET', `/v1/check-results/${otherCheck}/${String(id)}`)).status).toBe(404)
    expect((await other.call('GET', `/v1/check-results/${checkId}/${String(id)}`)).status).toBe(404)
    expect((await other.call('GET', `/v2/check-results/${checkId}`)).status).toBe(404)
    expect((await api.call('GET', `/v1/check-results/${checkId}/${randomUUID()}`)).status).toBe(404)
    expect((await api.call('GET', `/v1/check-results/${checkId}/7`)).status).toBe(404)
    expect((await api.call('GET', `/v2/check-results/${randomUUID()}`)).status).toBe(404)
  })
})

describe('the deprecated list', () => {
  test('answers the last six hours, paged', async () => {
    const old = await givenCheckWith([
      { dueAt: now - minute },
      { dueAt: now - 3 * minute },
      { dueAt: now - 7 * 60 * minute },
    ])
    const answer = await api.call('GET', `/v1/check-results/${old}?limit=1&page=2`)
    expect(answer.list.map(({ dueAt }) => dueAt)).toEqual([new Date(now - 3 * minute).toISOString()])
    expect(answer.headers['content-range']).toBe('1-1/2')
    const before = await api.call('GET', `/v1/check-results/${old}?to=${now / 1000 - 6.5 * 3600}`)
    expect(before.list).toHaveLength(1)
    const after = await api.call('GET', `/v1/check-results/${old}?from=${now / 1000 - 7.5 * 3600}`)
    expect(after.list).toHaveLength(1)
  })

  test('refuses a window of more than six hours', async () => {
    const answer = await api.call('GET', `/v1/check-results/${checkId}?from=${now / 1000 - 7 * 3600}&to=${now / 1000}`)
    expect(answer.status).toBe(400)
    const got = `got ${new Date(now).toISOString()} after ${new Date(now - 7 * 60 * minute).toISOString()}`
    expect(answer.body.message).toBe(`"to" must be at most six hours after "from", ${got}`)
  })
})

describe('statuses', () => {
  test('show what is stored, days to the certificate’s end counted now, a paused check as paused', async () => {
    const own = await givenApi(database.db)
    const id = await givenCheckWith([], own)
    await database.db.pool.query(
      `UPDATE check_status SET state = 'failing', has_failures = true, cause = 'It is down', longest_run = 812.5,
         last_run_location = 'eu-west-1', last_check_run_id = 1700000000000, failing_locations = '{eu-west-1}',
         ssl_not_after = now() + interval '10 days 1 hour' WHERE check_id = $1`,
      [id],
    )
    const answer = await own.call('GET', `/v1/check-statuses/${id}`)
    expect(answer.body).toMatchObject({
      name: 'Shop',
      checkId: id,
      hasFailures: true,
      hasErrors: false,
      isDegraded: false,
      longestRun: 812.5,
      shortestRun: null,
      lastRunLocation: 'eu-west-1',
      lastCheckRunId: '1700000000000',
      sslDaysRemaining: 10,
      state: 'failing',
      cause: 'It is down',
      failingLocations: ['eu-west-1'],
      overlaps: 0,
      notRunnable: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    expect((await own.call('GET', '/v1/check-statuses')).list).toEqual([answer.body])
    await own.call('PUT', `/v1/checks/api/${id}`, { body: { activated: false } })
    expect((await own.call('GET', `/v1/check-statuses/${id}`)).body.state).toBe('paused')
    expect((await api.call('GET', `/v1/check-statuses/${id}`)).status).toBe(404)
  })

  test('of thousands of checks are all there, each once', async () => {
    const own = await givenApi(database.db)
    const id = await givenCheckWith([], own)
    await copyCheck(database, id, { times: 2099, name: 'Check' })
    await database.db.pool.query(
      `INSERT INTO check_status (check_id, account_id, state, alert_state, created_at)
       SELECT id, account_id, 'passing', '{}', now() FROM checks WHERE account_id = $1 AND id <> $2`,
      [own.accountId, id],
    )
    const { list } = await own.call('GET', '/v1/check-statuses')
    expect(new Set(list.map(({ checkId: each }) => each)).size).toBe(2100)
  })
})

test('an API key lists results five times in ten seconds, on either route; others and the web app go on', async () => {
  const rateLimit = { max: 100_000, windowSeconds: 60 }
  const { app, keys, accountId } = await givenApi(database.db, { http: { rateLimit } })
  const check = await givenCheck(database, { accountId })
  const cookie = await givenSession(database.db, [{ accountId, role: 'read' }])
  const statuses = async (url: string, headers: Record<string, string>, times: number) => {
    const answers = []
    for (let i = 0; i < times; i++) answers.push(await app.inject({ url, headers }))
    return answers
  }
  for (const url of [`/v1/check-results/${check.id}`, `/v2/check-results/${check.id}`]) {
    const ofKey = await statuses(url, { authorization: `Bearer ${keys.read}` }, 6)
    expect(ofKey.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200, 429])
    expect(Number(ofKey[5]?.headers['retry-after'])).toBeLessThanOrEqual(10)
    const ofOther = await statuses(url, { authorization: `Bearer ${keys.run}` }, 1)
    expect(ofOther[0]?.statusCode).toBe(200)
    const ofPage = await statuses(url, { cookie }, 10)
    expect(ofPage.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 10 }, () => 200))
  }
  const one = await statuses(`/v1/check-results/${check.id}/${check.id}`, { authorization: `Bearer ${keys.read}` }, 8)
  expect(one.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 8 }, () => 404))
})
