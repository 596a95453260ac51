import { agentPaths, agentPathsV1, type Job, type ResultReport } from '@vedette/wire'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { givenCheck, type GivenCheck } from '../../test-support/checks.ts'
import { useEmptiedDatabase } from '../../test-support/database.ts'
import { givenPlane, TestAgent, type Plane } from '../../test-support/plane.ts'
import { failed, reportOf } from '../../test-support/reports.ts'

const database = useEmptiedDatabase()
let plane: Plane
let key: string
let agent: TestAgent

beforeAll(async () => {
  plane = await givenPlane(database.db)
  key = await plane.agents.keys.mintBuiltin('test')
})
beforeEach(() => {
  agent = new TestAgent(plane, key)
})
afterAll(() => plane.stop())

async function givenJob(more: Parameters<typeof givenCheck>[1] = {}): Promise<{ check: GivenCheck; job: Job }> {
  const check = await givenCheck(plane, more)
  await plane.dispatch.checkChanged(check.id)
  return { check, job: await requestJob(check) }
}

async function requestJob({ id }: GivenCheck): Promise<Job> {
  await plane.dispatch.requestRun(id, 'SCHEDULE_NOW')
  await plane.clock.advance(0)
  const job = (await agent.lease()).find(({ checkId }) => checkId === id)
  if (job === undefined) throw new Error('There is no job.')
  return job
}

/** Posts reports as the text they are, because JSON holds values that JavaScript cannot write. */
async function report(reports: readonly string[], path: string = agentPaths.results) {
  let isAnswered = false
  const answer = plane.app
    .inject({
      method: 'POST',
      url: path,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      payload: `{"agentId":"${agent.agentId}","results":[${reports.join(',')}]}`,
    })
    .finally(() => (isAnswered = true))
  while (!isAnswered) await plane.clock.advance(100)
  const { statusCode, body } = await answer
  return { status: statusCode, ...(JSON.parse(body) as { accepted: string[]; rejected: unknown[] }) }
}

interface StoredRow {
  id: string
  result_type: string
  outcome: string
  has_errors: boolean
  response_ms: number | null
  cause: string | null
  body: Record<string, Record<string, unknown> | null>
}

const storedOf = async ({ id }: GivenCheck): Promise<StoredRow[]> =>
  (await plane.db.pool.query<StoredRow>('SELECT * FROM check_results WHERE check_id = $1 ORDER BY attempts', [id])).rows

/** Reports and expects one stored row, acknowledged. */
async function storedFrom(text: string, { check, job }: { check: GivenCheck; job: Job }): Promise<StoredRow> {
  expect(await report([text])).toMatchObject({ status: 200, accepted: [job.attemptId], rejected: [] })
  const rows = await storedOf(check)
  expect(rows.map(({ id }) => id)).toEqual([job.attemptId])
  return rows[0]!
}

const withCause = (cause: string): ResultReport['verdict'] => ({ ...failed, cause })
const nested = (depth: number, open: string, close: string) => `${open.repeat(depth)}${close.repeat(depth)}`

describe('a report with hostile text', () => {
  it('keeps its verdict and alerts although its cause is cut within a character', async () => {
    const given = await givenJob()
    const cause = `${'x'.repeat(499)}🦔${'y'.repeat(2000)}`
    const row = await storedFrom(JSON.stringify(reportOf(given.job, { verdict: withCause(cause) })), given)
    expect(row).toMatchObject({ outcome: 'fail', result_type: 'FINAL' })
    expect(row.cause).toMatch(/^x+🦔y+$/u)
    const alerts = 'SELECT alert_type, error FROM check_alerts WHERE check_id = $1'
    expect((await plane.db.pool.query(alerts, [given.check.id])).rows).toEqual([
      { alert_type: 'ALERT_FAILURE', error: 'x'.repeat(499) },
    ])
  })

  it('keeps its verdict with half characters and NUL in all texts', async () => {
    const given = await givenJob()
    const bad = 'nul \u0000 half \ud83e'
    const error = { phase: bad, code: bad, text: bad, network: true }
    const assertion = { order: 0, source: bad, comparison: 'EQUALS', property: bad, target: bad, regex: bad } as const
    const verdict = { ...withCause(bad), assertions: [{ ...assertion, passed: false, actual: bad, message: bad }] }
    const result = { apiCheckResult: { [bad]: [bad, { [bad]: bad }] }, [bad]: bad }
    const sent = reportOf(given.job, { verdict, error, result, metrics: { [bad]: 1 } })
    const row = await storedFrom(JSON.stringify(sent), given)
    expect(row).toMatchObject({ outcome: 'fail', cause: 'nul \ufffd half \ufffd' })
    expect(row.body.error).toMatchObject({ text: 'nul \ufffd half \ufffd', network: true })
  })

  it('keeps its verdict with texts that are too long', async () => {
    const given = await givenJob()
    const long = '🦔'.repeat(20_000)
    const assertion = {
      order: 0,
      source: long,
      comparison: 'EQUALS',
      property: long,
      target: long,
      regex: long,
    } as const
    const assertions = Array.from({ length: 2000 }, () => ({ ...assertion, passed: false, actual: 'x', message: null }))
    const few = assertions.slice(0, 3).map((one) => ({ ...one, actual: long, message: long }))
    const error = { phase: long, code: long, text: long, network: true }
    const sent = reportOf(given.job, { verdict: { ...withCause(long), assertions: few }, error })
    const row = await storedFrom(JSON.stringify(sent), given)
    expect(row.outcome).toBe('fail')
    expect(row.cause?.length).toBe(2000)
    const many = await givenJob()
    const short = assertions.map((one) => ({ ...one, source: 's', property: '', target: '', regex: null }))
    const next = await storedFrom(
      JSON.stringify(reportOf(many.job, { verdict: { ...withCause('down'), assertions: short } })),
      many,
    )
    expect(next).toMatchObject({ outcome: 'fail', cause: 'down' })
  })

  it('keeps its verdict although its evidence nests deeper than anything can store', async () => {
    for (const deep of [nested(100_000, '[', ']'), nested(5000, '{"a":', '}').replace('{"a":}', '{"a":1}')]) {
      const given = await givenJob()
      const sent = JSON.stringify(reportOf(given.job, { verdict: failed, result: { apiCheckResult: 'DEEP' } }))
      const row = await storedFrom(sent.replace('"DEEP"', deep), given)
      expect(row).toMatchObject({ outcome: 'fail', cause: failed.cause })
    }
  })

  it('keeps its verdict with numbers out of every range, and loses only those', async () => {
    for (const huge of ['1e300', '-1e300', '1e999', '-5', '"7"', 'true', '{}']) {
      const given = await givenJob()
      const numbers = { responseMs: 4, clockOffsetMs: 4, timingUncertaintyMs: 4, statusCode: 4, certificateNotAfter: 4 }
      const times = { startedAt: 4, stoppedAt: 4, metrics: { total: 4, dns: 4 } }
      const sent = JSON.stringify({ ...reportOf(given.job, { verdict: failed }), ...numbers, ...times })
      const row = await storedFrom(sent.replaceAll(':4', `:${huge}`), given)
      expect(row).toMatchObject({ outcome: 'fail', response_ms: null })
    }
  })

  it('is not confused by keys named like parts of objects or of results', async () => {
    const given = await givenJob()
    const result =
      '{"__proto__":{"x":1},"constructor":{"prototype":{}},"id":"other","hasFailures":false,"apiCheckResult":{"__proto__":[1],"toString":2}}'
    const sent = JSON.stringify({ ...reportOf(given.job, { verdict: failed }), result: 'RESULT', metrics: 'METRICS' })
    const metrics = '{"__proto__":5,"hasOwnProperty":6}'
    const row = await storedFrom(sent.replace('"RESULT"', result).replace('"METRICS"', metrics), given)
    expect(row).toMatchObject({ outcome: 'fail', has_errors: false })
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })

  it('keeps its verdict when it comes from an agent of protocol 1', async () => {
    const given = await givenJob()
    const { statusCode: _, internalError: __, ...old } = reportOf(given.job, { verdict: withCause('x\ud83e') })
    const status = { apiCheckResult: { response: { status: 4 }, text: '\u0000' } }
    const sent = JSON.stringify({ ...old, illness: null, result: status }).replace(':4}', ':1e300}')
    expect(await report([sent], agentPathsV1.results)).toMatchObject({ accepted: [given.job.attemptId], rejected: [] })
    expect(await storedOf(given.check)).toMatchObject([{ outcome: 'fail', cause: 'x\ufffd' }])
  })
})

describe('a report that says nothing', () => {
  it('ends its run as final and not known, with the reason, and is acknowledged', async () => {
    for (const broken of [{ verdict: null }, { verdict: { ...failed, outcome: 'maybe' } }, { verdict: 'down' }]) {
      const given = await givenJob()
      const row = await storedFrom(JSON.stringify({ ...reportOf(given.job), ...broken }), given)
      expect(row).toMatchObject({ outcome: 'unknown', result_type: 'FINAL', has_errors: true })
      expect(row.body.internalError).toMatchObject({ code: 'REPORT_NOT_READABLE' })
      expect(row.cause).toContain('verdict')
    }
  })

  it('does not refuse the others of its batch', async () => {
    const [one, two] = [await givenJob(), await givenJob()]
    const sent = [{ lease: one.job.lease }, reportOf(two.job, { verdict: failed })].map((each) => JSON.stringify(each))
    const answer = await report(sent)
    expect(answer.accepted.toSorted()).toEqual([one.job.attemptId, two.job.attemptId].toSorted())
    expect(await storedOf(one.check)).toMatchObject([{ outcome: 'unknown' }])
    expect(await storedOf(two.check)).toMatchObject([{ outcome: 'fail' }])
  })
})

describe('a failed attempt with a hostile report', () => {
  it('is retried, and so is a retry whose report says nothing', async () => {
    const retryStrategy = { type: 'FIXED', baseBackoffSeconds: 1, sameRegion: false, maxRetries: 1 } as const
    const locations = ['eu-west-1', 'eu-central-1', 'us-east-1']
    const { check, job } = await givenJob({ definition: { retryStrategy, locations } })
    const half = `${'x'.repeat(499)}🦔`
    await report([JSON.stringify(reportOf(job, { verdict: withCause(half) }))])
    expect(await storedOf(check)).toMatchObject([{ outcome: 'fail', result_type: 'ATTEMPT' }])
    await plane.clock.advance(1000)
    const retry = (await agent.lease()).find(({ checkId }) => checkId === check.id)
    expect(retry).toMatchObject({ attempt: 1 })
    await report([JSON.stringify({ lease: retry!.lease })])
    await plane.clock.advance(100)
    const elsewhere = (await agent.lease()).find(({ checkId }) => checkId === check.id)
    expect(elsewhere).toMatchObject({ attempt: 2 })
    await report([JSON.stringify(reportOf(elsewhere!, { verdict: failed }))])
    expect((await storedOf(check)).map(({ outcome, result_type: type }) => `${outcome} ${type}`)).toEqual([
      'fail ATTEMPT',
      'unknown ATTEMPT',
      'fail FINAL',
    ])
    const { rowCount } = await plane.db.pool.query('SELECT 1 FROM pending_runs WHERE check_id = $1', [check.id])
    expect(rowCount).toBe(0)
  })
})

describe('any report', () => {
  it('under a valid lease ends in exactly one stored row', async () => {
    const { check } = await givenJob()
    const path = fc.constantFrom(...pathsOf(reportOf({ lease: '', leasedAt: 0 } as Job, fullReport)))
    const change = fc.tuple(path, fc.oneof(fc.jsonValue({ noUnicodeString: false }), anyText, fc.double()))
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        const job = await requestJob(check)
        const sent = changes.reduce<unknown>((value, [at, to]) => withValue(value, at, to), reportOf(job, fullReport))
        const answer = await report([JSON.stringify({ ...(sent as object), lease: job.lease })])
        expect(answer).toMatchObject({ status: 200, accepted: [job.attemptId], rejected: [] })
        const rows = (await storedOf(check)).filter(({ id }) => id === job.attemptId)
        expect(rows).toHaveLength(1)
      }),
      { numRuns: 60 },
    )
  })
})

const fullReport: Partial<ResultReport> = {
  verdict: {
    ...failed,
    assertions: [
      {
        order: 0,
        source: 'a',
        comparison: 'EQUALS',
        property: '',
        target: '',
        regex: null,
        passed: true,
        actual: '',
        message: '',
      },
    ],
  },
  error: { phase: 'dns', code: 'ENOTFOUND', text: 'gone', network: true },
  internalError: null,
  metrics: { total: 5 },
  result: { apiCheckResult: { response: { body: 'text', headers: { a: 'b' } } } },
}

const anyText = fc.string({
  unit: fc.oneof(fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code))),
})

function pathsOf(value: unknown, before: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => [[...before, name], ...pathsOf(item, [...before, name])])
}

/** The value with another one at the path; paths that a change before has removed change nothing. */
function withValue(value: unknown, [name, ...rest]: readonly string[], to: unknown): unknown {
  if (name === undefined) return to
  if (Array.isArray(value)) return value.map((item, at) => (String(at) === name ? withValue(item, rest, to) : item))
  if (typeof value !== 'object' || value === null) return value
  const at = (value as Record<string, unknown>)[name]
  return { ...value, [name]: withValue(at, rest, to) }
}
