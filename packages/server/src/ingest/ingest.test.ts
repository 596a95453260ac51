import type { PoolClient } from 'pg'
import { describe, expect, it } from 'vitest'
import { givenApi } from '../../test-support/api.ts'
import { givenAccount, useDatabase } from '../../test-support/database.ts'
import type { GivenCheck } from '../../test-support/checks.ts'
import { useIngest } from '../../test-support/ingest.ts'
import { incomingResult } from '../../test-support/results.ts'

const database = useDatabase()
const setup = useIngest(database)
const { now, announced, errors, open, given, take, rowsOf, statusOf, alertsOf } = setup
const minute = 60_000

async function pendingOf(check: GivenCheck) {
  const { rows } = await database.db.pool.query(
    `SELECT attempt_id, attempt, location, run_at, sequence_id, due_at FROM pending_runs WHERE check_id = $1`,
    [check.id],
  )
  return rows
}

describe('a passing result', () => {
  it('is stored, moves the status and is announced', async () => {
    const check = await given()
    const result = incomingResult(check, now - 1000)
    expect(await take([result])).toEqual({ accepted: [result.identity.attemptId], rejected: [] })
    expect(await rowsOf(check)).toMatchObject([
      {
        id: result.identity.attemptId,
        result_type: 'FINAL',
        outcome: 'pass',
        late: false,
        started_at: new Date(now - 500),
        cause: null,
        body: { result: { apiCheckResult: { response: { status: 200 } } }, verdict: { outcome: 'pass' } },
      },
    ])
    expect(await statusOf(check)).toMatchObject({
      state: 'passing',
      state_since: new Date(now - 1000),
      has_failures: false,
      longest_run: 400,
      shortest_run: 400,
      last_run_location: 'eu-west-1',
      last_check_run_id: now - 1000,
      last_result_id: result.identity.attemptId,
      last_run_at: new Date(now - 500),
      last_pass_at: new Date(now - 100),
    })
    expect(announced).toMatchObject([
      {
        resultId: result.identity.attemptId,
        resultType: 'FINAL',
        outcome: 'pass',
        status: { state: 'passing' },
        notifications: 0,
      },
    ])
  })

  it('keeps the longest and the shortest run for ever', async () => {
    const check = await given()
    for (const [slot, responseMs] of [300, 900, 100, 500].entries()) {
      await take([incomingResult(check, now + slot * minute, { report: { responseMs } })])
    }
    expect(await statusOf(check)).toMatchObject({ longest_run: 900, shortest_run: 100 })
  })

  it('keeps the end of the certificate until a run shows there is none', async () => {
    const check = await given()
    const notAfter = now + 30 * 24 * 60 * minute
    await take([incomingResult(check, now, { report: { certificateNotAfter: notAfter } })])
    await take([incomingResult(check, now + minute, { outcome: 'fail' })])
    expect(await statusOf(check)).toMatchObject({ ssl_not_after: new Date(notAfter) })
    await take([incomingResult(check, now + 2 * minute)])
    expect(await statusOf(check)).toMatchObject({ ssl_not_after: null })
  })
})

describe('a failing result', () => {
  it('alerts, and the passing one after it recovers', async () => {
    const check = await given()
    await take([incomingResult(check, now)])
    await take([incomingResult(check, now + minute, { outcome: 'fail' })])
    expect(await statusOf(check)).toMatchObject({
      state: 'failing',
      has_failures: true,
      cause: 'fail here',
      failing_locations: ['eu-west-1'],
      last_pass_at: new Date(now + 900),
    })
    await take([incomingResult(check, now + 2 * minute)])
    expect(await alertsOf(check)).toEqual(['ALERT_FAILURE', 'ALERT_RECOVERY'])
    expect(await statusOf(check)).toMatchObject({ state: 'passing', has_failures: false, cause: null })
    const { rows } = await database.db.pool.query(`SELECT * FROM check_alerts WHERE check_id = $1`, [check.id])
    expect(rows).toContainEqual(expect.objectContaining({ alert_type: 'ALERT_FAILURE', status_code: 503 }))
  })

  it('of a check with doubleCheck is retried elsewhere before it alerts', async () => {
    const check = await given({ doubleCheck: true })
    const first = incomingResult(check, now, { outcome: 'fail' })
    await take([first])
    expect(await alertsOf(check)).toEqual([])
    expect(await statusOf(check)).toMatchObject({ state: 'pending', last_result_id: null })
    const [retry] = await pendingOf(check)
    expect(retry).toMatchObject({ attempt: 1, location: 'us-east-1', sequence_id: first.identity.sequenceId })
    expect(announced).toMatchObject([
      { resultType: 'ATTEMPT', retry: { attemptId: retry.attempt_id, attempt: 1, dueAt: now, checkId: check.id } },
    ])
    const second = incomingResult(check, now, { outcome: 'fail', attempt: 1, location: 'us-east-1' })
    expect(second.identity.attemptId).toBe(retry.attempt_id)
    await take([second])
    expect(await pendingOf(check)).toEqual([])
    expect((await rowsOf(check)).map((row) => [row.result_type, row.attempts])).toEqual([
      ['ATTEMPT', 0],
      ['FINAL', 1],
    ])
    expect(await alertsOf(check)).toEqual(['ALERT_FAILURE'])
  })

  it('whose retry passes never was a failure', async () => {
    const check = await given({ doubleCheck: true })
    await take([incomingResult(check, now, { outcome: 'fail' })])
    await take([incomingResult(check, now, { attempt: 1, location: 'us-east-1' })])
    expect(await alertsOf(check)).toEqual([])
    expect(await statusOf(check)).toMatchObject({ state: 'passing' })
  })

  it('counts the time of its earlier attempts against the longest duration', async () => {
    const retryStrategy = { type: 'FIXED', baseBackoffSeconds: 10, maxRetries: 5, maxDurationSeconds: 25 }
    const check = await given({ retryStrategy })
    const report = (from: number) => ({ startedAt: now + from, stoppedAt: now + from + 1000 })
    await take([incomingResult(check, now, { outcome: 'fail', report: report(0), leasedAt: now })])
    await setup.clock.advance(11_000)
    const leasedAt = now + 11_000
    const second = { outcome: 'fail', attempt: 1, receivedAt: now + 12_000, leasedAt, report: report(11_000) } as const
    await take([incomingResult(check, now, second)])
    expect((await pendingOf(check)).map((row) => row.attempt)).toEqual([2])
    await setup.clock.advance(11_000)
    const third = { outcome: 'fail', attempt: 2, receivedAt: now + 24_000, leasedAt, report: report(22_000) } as const
    await take([incomingResult(check, now, third)])
    expect(await pendingOf(check)).toEqual([])
    expect((await rowsOf(check)).map((row) => row.result_type)).toEqual(['ATTEMPT', 'ATTEMPT', 'FINAL'])
  })

  it('of a check that was switched off meanwhile ends the run and pages nobody', async () => {
    const check = await given({ doubleCheck: true })
    await database.db.pool.query(`UPDATE checks SET activated = false WHERE id = $1`, [check.id])
    await take([incomingResult(check, now, { outcome: 'fail' })])
    expect(await pendingOf(check)).toEqual([])
    expect((await rowsOf(check)).map((row) => row.result_type)).toEqual(['FINAL'])
    expect(announced).toMatchObject([{ outcome: 'fail', status: { state: 'paused' } }])
  })

  it('follows the settings of the check when it has its own', async () => {
    const alertSettings = { runBasedEscalation: { failedRunThreshold: 2 } }
    const check = await given({ useGlobalAlertSettings: false, alertSettings })
    await take([incomingResult(check, now, { outcome: 'fail' })])
    expect(await alertsOf(check)).toEqual([])
    await take([incomingResult(check, now + minute, { outcome: 'fail' })])
    expect(await alertsOf(check)).toEqual(['ALERT_FAILURE_REMAIN'])
  })
})

describe('a result that says nothing of the target', () => {
  it('is recorded, alerts nobody and is not retried', async () => {
    const check = await given({ doubleCheck: true })
    await take([incomingResult(check, now)])
    await take([incomingResult(check, now + minute, { outcome: 'unknown' })])
    expect(await pendingOf(check)).toEqual([])
    expect(await alertsOf(check)).toEqual([])
    expect(await statusOf(check)).toMatchObject({ state: 'passing', has_errors: true, has_failures: false })
    expect((await rowsOf(check))[1]).toMatchObject({ result_type: 'FINAL', started_at: null })
  })
})

describe('results delivered twice', () => {
  it('are accepted twice and stored once, in one batch and across batches', async () => {
    const check = await given()
    const result = incomingResult(check, now, { outcome: 'fail' })
    const id = result.identity.attemptId
    expect(await take([result, result])).toEqual({ accepted: [id, id], rejected: [] })
    expect(await take([result])).toEqual({ accepted: [id], rejected: [] })
    expect(await rowsOf(check)).toHaveLength(1)
    expect(await alertsOf(check)).toEqual(['ALERT_FAILURE'])
  })

  it('are announced again with the retry that waits, in case the first time was lost', async () => {
    const check = await given({ doubleCheck: true })
    const result = incomingResult(check, now, { outcome: 'fail' })
    await take([result])
    await take([result])
    const [first, second] = announced
    expect(second).toEqual({ ...first, repeated: true })
  })

  it('survive a commit whose answer is lost', async () => {
    const check = await given({ doubleCheck: true })
    const { db } = database
    const lost = open({
      ...db,
      async transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
        await db.transaction(work)
        throw new Error('Connection terminated unexpectedly')
      },
    })
    const result = incomingResult(check, now, { outcome: 'fail' })
    expect(await take([result], lost)).toEqual({ accepted: [], rejected: [] })
    expect(announced).toEqual([])
    expect(await take([result])).toEqual({ accepted: [result.identity.attemptId], rejected: [] })
    expect(announced).toMatchObject([{ resultType: 'ATTEMPT', retry: { attempt: 1 } }])
    expect(await rowsOf(check)).toHaveLength(1)
    expect(await pendingOf(check)).toHaveLength(1)
  })
})

describe('a transaction that fails', () => {
  it('leaves nothing behind and acknowledges nothing', async () => {
    const check = await given()
    const { db } = database
    const dying = open({
      ...db,
      transaction: (work) =>
        db.transaction(async (client) => {
          await work(client)
          throw new Error('killed before COMMIT')
        }),
    })
    const result = incomingResult(check, now, { outcome: 'fail' })
    expect(await take([result], dying)).toEqual({ accepted: [], rejected: [] })
    expect(await rowsOf(check)).toEqual([])
    expect(await alertsOf(check)).toEqual([])
    expect(errors).toEqual(['Results could not be stored now.'])
    await take([result])
    expect(await alertsOf(check)).toEqual(['ALERT_FAILURE'])
  })

  it('for a deadlock is tried again at once', async () => {
    const check = await given()
    const { db } = database
    let deadlocks = 2
    const unlucky = open({
      ...db,
      transaction: (work) =>
        deadlocks-- > 0
          ? Promise.reject(Object.assign(new Error('deadlock detected'), { code: '40P01' }))
          : db.transaction(work),
    })
    const result = incomingResult(check, now)
    expect(await take([result], unlucky)).toMatchObject({ accepted: [result.identity.attemptId] })
  })
})

describe('a result that cannot be stored', () => {
  it('is refused alone: no such check, no such revision, deleted, foreign, of the editor', async () => {
    const check = await given()
    const deleted = await given()
    await database.db.pool.query(`UPDATE checks SET deleted_at = now() WHERE id = $1`, [deleted.id])
    const stranger = await givenAccount(database.db)
    const good = incomingResult(check, now)
    const bad = [
      incomingResult({ ...check, id: crypto.randomUUID() }, now),
      incomingResult(check, now + 1, { identity: { revision: 7 } }),
      incomingResult(deleted, now),
      incomingResult({ ...check, accountId: stranger }, now + 2),
      incomingResult(check, now + 3, { identity: { source: 'EDITOR' } }),
    ]
    const answer = await take([...bad, good])
    expect(answer.accepted).toEqual([good.identity.attemptId])
    expect(answer.rejected.map(({ attemptId }) => attemptId)).toEqual(bad.map(({ identity }) => identity.attemptId))
    expect(answer.rejected.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('does not exist'),
      `check ${check.id} has no revision 7`,
      `check ${deleted.id} does not exist`,
      `check ${check.id} is not of account ${stranger}`,
      'runs of the editor are not stored',
    ])
    expect(await rowsOf(check)).toHaveLength(1)
  })

  it('is rare: texts PostgreSQL refuses are mended instead', async () => {
    const check = await given()
    const base = incomingResult(check, now, { outcome: 'fail' })
    base.report.verdict.cause = 'saw \u0000 and \ud800'
    base.report.result = { apiCheckResult: { response: { body: '\u0000\udc00' } } }
    expect(await take([base])).toMatchObject({ rejected: [] })
    expect((await rowsOf(check))[0]).toMatchObject({
      cause: 'saw \ufffd and \ufffd',
      body: { result: { apiCheckResult: { response: { body: '\ufffd\ufffd' } } } },
    })
  })
})

describe('results out of order', () => {
  it('in one batch are folded in the order they were due', async () => {
    const check = await given()
    const results = [
      incomingResult(check, now + 2 * minute),
      incomingResult(check, now, { outcome: 'fail' }),
      incomingResult(check, now + minute, { outcome: 'fail' }),
    ]
    await take(results)
    expect(await alertsOf(check)).toEqual(['ALERT_FAILURE', 'ALERT_RECOVERY'])
  })

  it('across batches change the history only', async () => {
    const check = await given()
    await take([incomingResult(check, now + minute)])
    await take([incomingResult(check, now, { outcome: 'fail', report: { responseMs: 9000 } })])
    expect(await alertsOf(check)).toEqual([])
    expect(await statusOf(check)).toMatchObject({
      state: 'passing',
      last_check_run_id: now + minute,
      longest_run: 9000,
    })
    expect(await rowsOf(check)).toHaveLength(2)
  })
})

describe('the clock of an agent', () => {
  it('cannot date a run before its lease or after its arrival', async () => {
    const check = await given()
    const wild = { startedAt: 5, stoppedAt: now + 99 * minute }
    await take([incomingResult(check, now, { report: wild })])
    expect(await rowsOf(check)).toMatchObject([{ started_at: new Date(now + 100), stopped_at: new Date(now + 2000) }])
  })
})

describe('a result without a lease', () => {
  it('is stored as it is, begun no sooner than it was due', async () => {
    const check = await given()
    const report = { startedAt: now - minute, stoppedAt: now + 500 }
    await take([incomingResult(check, now, { leasedAt: null, outcome: 'fail', report })])
    expect(await rowsOf(check)).toMatchObject([{ started_at: new Date(now), late: false }])
    expect(await alertsOf(check)).toEqual(['ALERT_FAILURE'])
  })

  it('is not late when it says that a retry with a long back-off was lost', async () => {
    const check = await given()
    const receivedAt = now + 9 * minute
    await take([incomingResult(check, now, { leasedAt: null, outcome: 'unknown', attempt: 1, receivedAt })])
    expect(await rowsOf(check)).toMatchObject([{ late: false }])
  })
})

describe('batches', () => {
  it('let passing results wait for company and failing ones not', async () => {
    const check = await given()
    await take([incomingResult(check, now)])
    announced.length = 0
    const calm = setup.ingest.accept([incomingResult(check, now + minute)])
    await setup.clock.advance(100)
    expect(announced).toEqual([])
    const news = setup.ingest.accept([incomingResult(check, now + 2 * minute, { outcome: 'fail' })])
    await setup.clock.advance(20)
    await Promise.all([calm, news])
    expect(announced).toHaveLength(2)
  })

  it('go at a hundred results without waiting', async () => {
    const check = await given()
    await take([incomingResult(check, now)])
    const many = Array.from({ length: 100 }, (_, n) => incomingResult(check, now + (n + 1) * 1000))
    const answer = await setup.ingest.accept(many)
    expect(answer.accepted).toHaveLength(100)
    expect(await rowsOf(check)).toHaveLength(101)
  })

  it('that wait are stored when ingest stops, and nothing is taken after', async () => {
    const check = await given()
    const waiting = setup.ingest.accept([incomingResult(check, now)])
    await setup.ingest.stop()
    expect((await waiting).accepted).toHaveLength(1)
    expect(await setup.ingest.accept([incomingResult(check, now + minute)])).toEqual({ accepted: [], rejected: [] })
  })

  it('reach every listener, whatever one of them throws', async () => {
    const check = await given()
    const announced: string[] = []
    setup.ingest.onCommitted(() => {
      throw new Error('listener broke')
    })
    setup.ingest.onCommitted(([first]) => void announced.push(first?.checkId ?? ''))
    await take([incomingResult(check, now)])
    expect(announced).toEqual([check.id])
    expect(errors).toEqual(['A listener for committed results failed.'])
  })
})

describe('a check that was changed while it ran', () => {
  it('ends the run by the settings of the run’s revision, and the next one by its own', async () => {
    const api = await givenApi(database.db)
    const body = {
      name: 'Shop',
      request: { url: 'https://shop.example' },
      locations: ['eu-west-1', 'us-east-1'],
      retryStrategy: { type: 'FIXED', maxRetries: 2, baseBackoffSeconds: 30, sameRegion: false },
    }
    const made = await api.call('POST', '/v1/checks/api', { body })
    const id = String(made.body['id'])
    const changed = { retryStrategy: null, doubleCheck: false, locations: ['af-south-1'] }
    await api.call('PUT', `/v1/checks/api/${id}`, { body: changed })
    const check = { id, accountId: api.accountId }
    await take([
      incomingResult(check, now - minute, { outcome: 'fail' }),
      incomingResult(check, now, { outcome: 'fail', identity: { revision: 2 } }),
    ])
    expect(await rowsOf(check)).toMatchObject([{ result_type: 'ATTEMPT' }, { result_type: 'FINAL' }])
    expect(await pendingOf(check)).toMatchObject([
      { due_at: new Date(now - minute), location: 'us-east-1', attempt: 1 },
    ])
  })
})
