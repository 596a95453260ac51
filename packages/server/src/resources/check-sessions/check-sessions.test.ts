import { randomUUID } from 'node:crypto'
import { sequenceId } from '@vedette/wire/ids'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { givenMailChannel } from '../../../test-support/alerts.ts'
import { givenAccount, useEmptiedDatabase } from '../../../test-support/database.ts'
import { keysOf } from '../../../test-support/api.ts'
import { redefine, type GivenCheck } from '../../../test-support/checks.ts'
import { forgetChecks } from '../../../test-support/plane.ts'
import { givenRunningApi, type RunningApi } from '../../../test-support/running-api.ts'

const database = useEmptiedDatabase()
let api: RunningApi

beforeEach(async () => {
  await forgetChecks(database.db)
  api = await givenRunningApi(database.db)
})
afterEach(() => api.stop())

type Session = Record<string, unknown> & { checkSessionId: string; checkId: string; status: string }

async function trigger(target: object = {}, version = 'v2'): Promise<Session[]> {
  const answer = await api.call('POST', `/${version}/check-sessions/trigger`, { body: { target }, key: api.keys.run })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.sessions as Session[]
}

async function triggerOne(checkId: string): Promise<Session> {
  const [session] = await trigger({ checkId: [checkId] })
  if (session === undefined) throw new Error('There is no session.')
  return session
}

const read = async ({ checkSessionId }: Session, version = 'v2') =>
  (await api.call('GET', `/${version}/check-sessions/${checkSessionId}`)).body

const completion = ({ checkSessionId }: Session, seconds: string | number = 30, version = 'v2') =>
  api.call('GET', `/${version}/check-sessions/${checkSessionId}/completion?maxWaitSeconds=${seconds}`)

const cancel = (session: Session, body?: object) =>
  api.call('POST', `/v2/check-sessions/${session.checkSessionId}/cancel`, { key: api.keys.run, ...(body && { body }) })

async function deactivate(check: GivenCheck): Promise<void> {
  await redefine(database, check, { activated: false })
  await api.plane.dispatch.checkChanged(check.id)
}

const retryStrategy = {
  type: 'FIXED',
  baseBackoffSeconds: 5,
  maxRetries: 1,
  maxDurationSeconds: 600,
  sameRegion: true,
}

const historyOf = async (checkId: string) =>
  (await api.call('GET', `/v2/check-results/${checkId}?resultType=ALL&limit=100`)).body.entries as Record<
    string,
    unknown
  >[]

describe('a session', () => {
  it('runs its check at once, at an agent, and ends with the result of the history', async () => {
    const check = await api.scheduled()
    const session = await triggerOne(check.id)
    expect(session).toMatchObject({
      checkSessionLink: `http://127.0.0.1:8080/sessions/${session.checkSessionId}`,
      checkId: check.id,
      checkType: 'API',
      name: 'Shop',
      status: 'STARTED',
      stoppedAt: null,
      timeElapsed: 0,
      runLocations: ['eu-west-1'],
      runSource: 'TRIGGER_API',
    })
    const jobs = await api.jobs()
    expect(jobs).toMatchObject([{ checkId: check.id, location: 'eu-west-1' }])
    await api.pass(jobs)
    const ended = await read(session)
    const [stored, ...more] = await historyOf(check.id)
    expect(more).toEqual([])
    expect(stored).toMatchObject({ runSource: 'TRIGGER_API', id: jobs[0]?.attemptId })
    expect(ended).toMatchObject({
      status: 'PASSED',
      results: [
        {
          checkResultId: stored?.id,
          checkResultLink: `http://127.0.0.1:8080/checks/${check.id}/results/${String(stored?.id)}`,
          resultType: 'FINAL',
          runLocation: 'eu-west-1',
          hasErrors: false,
          hasFailures: false,
          isDegraded: false,
          aborted: false,
          isCancelled: false,
          responseTime: 10,
        },
      ],
    })
    const elapsed = Date.parse(String(ended.stoppedAt)) - Date.parse(String(ended.startedAt))
    expect(ended.timeElapsed).toBe(elapsed)
  })

  it('shows attempts on the way, and counts the last one', async () => {
    const check = await api.scheduled({ retryStrategy })
    const session = await triggerOne(check.id)
    await api.fail(await api.jobs())
    expect(await read(session)).toMatchObject({ status: 'PROGRESS_FAILED', results: [{ resultType: 'ATTEMPT' }] })
    await api.plane.clock.advance(5000)
    await api.pass(await api.jobs())
    expect(await read(session)).toMatchObject({
      status: 'PASSED',
      results: [
        { resultType: 'ATTEMPT', hasFailures: true },
        { resultType: 'FINAL', hasFailures: false },
      ],
    })
  })

  it('of a parallel check has a final result for each location', async () => {
    const check = await api.scheduled({ locations: ['eu-west-1', 'us-east-1'], runParallel: true })
    const session = await triggerOne(check.id)
    expect(session.runLocations).toEqual(['eu-west-1', 'us-east-1'])
    const jobs = await api.jobs()
    await api.pass(jobs.filter(({ location }) => location === 'eu-west-1'))
    expect((await read(session)).status).toBe('PROGRESS')
    await api.fail(jobs.filter(({ location }) => location === 'us-east-1'))
    expect(await read(session)).toMatchObject({ status: 'FAILED', results: [{}, {}] })
  })

  it('says that it failed between attempts and between locations, and how it ended when all are over', async () => {
    const check = await api.scheduled({
      locations: ['eu-west-1', 'us-east-1', 'ap-south-1'],
      runParallel: true,
      retryStrategy: { type: 'FIXED', baseBackoffSeconds: 5, maxRetries: 1, maxDurationSeconds: 600 },
    })
    const session = await triggerOne(check.id)
    const jobs = await api.jobs()
    const at = (...places: string[]) => jobs.filter(({ location }) => places.includes(location))
    await api.pass(at('eu-west-1'))
    expect((await read(session)).status).toBe('PROGRESS')
    await api.fail(at('us-east-1'))
    expect((await read(session)).status).toBe('PROGRESS_FAILED')
    await api.pass(at('ap-south-1'))
    expect(await read(session)).toMatchObject({ status: 'PROGRESS_FAILED', stoppedAt: null })
    await api.plane.clock.advance(5000)
    const retried = await api.jobs()
    expect(retried).toMatchObject([{ location: 'us-east-1' }])
    await api.pass(retried)
    const ended = await read(session)
    expect(ended.status).toBe('PASSED')
    const results = ended.results as { resultType: string; runLocation: string }[]
    expect(results.map(({ resultType, runLocation }) => `${runLocation} ${resultType}`).toSorted()).toEqual([
      'ap-south-1 FINAL',
      'eu-west-1 FINAL',
      'us-east-1 ATTEMPT',
      'us-east-1 FINAL',
    ])
  })

  it('of a check with one location at a time runs at its first one', async () => {
    const check = await api.scheduled({ locations: ['us-east-1', 'eu-west-1'] })
    expect((await triggerOne(check.id)).runLocations).toEqual(['us-east-1'])
  })

  it('is not left out while a run of the schedule is under way, and drops none', async () => {
    const check = await api.scheduled({ frequency: 1 })
    await api.plane.clock.advance(60_000)
    const ofSchedule = await api.jobs()
    expect(ofSchedule).toHaveLength(1)
    const session = await triggerOne(check.id)
    const asked = await api.jobs()
    expect(asked).toHaveLength(1)
    await api.pass([...asked, ...ofSchedule])
    expect((await read(session)).results).toHaveLength(1)
    expect(await historyOf(check.id)).toHaveLength(2)
  })

  it('alerts as usual', async () => {
    const check = await api.scheduled()
    await givenMailChannel({ db: database.db }, check)
    await triggerOne(check.id)
    await api.fail(await api.jobs())
    const { list } = await api.call('GET', '/v1/alert-notifications')
    expect(list).toHaveLength(1)
  })

  it('of which nothing is known fails, with errors', async () => {
    const check = await api.scheduled()
    const session = await triggerOne(check.id)
    const jobs = await api.jobs()
    await api.agent.report(api.plane.clock, { lease: jobs[0]?.lease })
    expect(await read(session)).toMatchObject({ status: 'FAILED', results: [{ hasErrors: true, hasFailures: false }] })
  })

  it('whose run never comes back times out, and stays so', async () => {
    const check = await api.scheduled()
    const session = await triggerOne(check.id)
    const jobs = await api.jobs()
    await database.db.pool.query('DELETE FROM pending_runs WHERE check_id = $1', [check.id])
    const { clock } = api.plane
    api.plane.clock.jump(20 * 60_000)
    const timedOut = await read(session)
    expect(timedOut).toMatchObject({ status: 'TIMED_OUT', results: [] })
    expect(Date.parse(String(timedOut.stoppedAt))).toBeLessThan(clock.now())
    await api.pass(jobs)
    expect(await read(session)).toMatchObject({ status: 'TIMED_OUT', stoppedAt: timedOut.stoppedAt })
  })

  it('ends when its check is deleted while an agent has its run', async () => {
    const check = await api.scheduled()
    const session = await triggerOne(check.id)
    const jobs = await api.jobs()
    const gone = await api.call('DELETE', `/v1/checks/${check.id}`)
    expect(gone.status, gone.text).toBe(204)
    const ended = await read(session)
    expect(ended).toMatchObject({ status: 'CANCELLED', stoppedAt: expect.any(String) as string, results: [] })
    await api.pass(jobs)
    expect(await read(session)).toEqual(ended)
  })

  it('ends when its check is deactivated between two attempts', async () => {
    const check = await api.scheduled({ retryStrategy })
    const session = await triggerOne(check.id)
    await api.fail(await api.jobs())
    expect((await read(session)).status).toBe('PROGRESS_FAILED')
    await deactivate(check)
    expect(await read(session)).toMatchObject({ status: 'CANCELLED', results: [{ hasFailures: true }] })
  })

  it('of a check that is deactivated meanwhile ends with what an agent has of it', async () => {
    const check = await api.scheduled({ retryStrategy, locations: ['eu-west-1', 'us-east-1'], runParallel: true })
    const session = await triggerOne(check.id)
    const jobs = await api.jobs()
    await api.fail(jobs.filter(({ location }) => location === 'eu-west-1'))
    await deactivate(check)
    expect((await read(session)).stoppedAt).toBeNull()
    await api.pass(jobs.filter(({ location }) => location === 'us-east-1'))
    expect((await read(session)).status).toBe('PASSED')
  })

  it('ends after a restart when its check was deactivated meanwhile', async () => {
    const check = await api.scheduled()
    const session = await triggerOne(check.id)
    await api.crash()
    await redefine(database, check, { activated: false })
    const { clock } = api.plane
    api = await givenRunningApi(database.db, { clock, accountId: api.accountId })
    expect(await api.jobs()).toEqual([])
    await expect.poll(async () => (await read(session)).status).toBe('CANCELLED')
  })

  it('survives a restart of the server', async () => {
    const check = await api.scheduled()
    const session = await triggerOne(check.id)
    await api.crash()
    const { clock } = api.plane
    api = await givenRunningApi(database.db, { clock, accountId: api.accountId })
    await api.pass(await api.jobs())
    expect((await read(session)).status).toBe('PASSED')
  })
})

describe('the target of a trigger', () => {
  const idsOf = async (target: object) => (await trigger(target)).map(({ checkId }) => checkId).toSorted()

  it('is every list of tags, of which all must be there and none with an exclamation mark', async () => {
    const tagged = async (...tags: string[]) => (await api.scheduled({ tags })).id
    const [web, shop, slow] = [await tagged('web', 'prod'), await tagged('shop', 'prod'), await tagged('web', 'slow')]
    expect(await idsOf({ matchTags: [['web']] })).toEqual([web, slow].toSorted())
    expect(await idsOf({ matchTags: [['web', '!slow']] })).toEqual([web])
    expect(await idsOf({ matchTags: [['web', 'prod'], ['shop']] })).toEqual([web, shop].toSorted())
    expect(await idsOf({ matchTags: [['!web']] })).toEqual([shop])
    expect(await idsOf({ matchTags: [['prod']], checkId: [shop, slow] })).toEqual([shop])
  })

  it('is every check of the account when it names nothing', async () => {
    const ids = [(await api.scheduled()).id, (await api.scheduled()).id].toSorted()
    expect(await idsOf({})).toEqual(ids)
    expect((await api.call('POST', '/v2/check-sessions/trigger', { body: {} })).status).toBe(201)
  })

  it('leaves out checks that are deactivated, and those of others', async () => {
    const paused = await api.scheduled()
    await redefine(database, paused, { activated: false })
    const stranger = await keysOf(database.db, await givenAccount(database.db))
    const foreign = await api.scheduled()
    for (const [checkId, key] of [
      [paused.id, api.keys.run],
      [foreign.id, stranger.run],
      [randomUUID(), api.keys.run],
    ] as const) {
      const answer = await api.call('POST', '/v2/check-sessions/trigger', {
        body: { target: { checkId: [checkId] } },
        key,
      })
      expect(answer).toMatchObject({ status: 404, body: { message: 'No matching checks were found.' } })
    }
  })

  it('is refused with the name of what is wrong', async () => {
    for (const [body, field] of [
      [{ target: { matchTags: ['web'] } }, 'target.matchTags.0'],
      [{ target: { matchTags: [[]] } }, 'target.matchTags.0'],
      [{ target: { checkId: ['no id'] } }, 'target.checkId.0'],
      [{ target: { checks: [] } }, 'target.checks'],
      [{ refreshCache: 'yes' }, 'refreshCache'],
    ] as const) {
      const answer = await api.call('POST', '/v2/check-sessions/trigger', { body })
      expect(answer).toMatchObject({ status: 400, body: { validation: { keys: [field] } } })
    }
  })

  it('may name by the older path what is no id', async () => {
    const answer = await api.call('POST', '/v1/check-sessions/trigger', { body: { target: { checkId: ['no id'] } } })
    expect(answer).toMatchObject({ status: 404, body: { message: 'No matching checks were found.' } })
  })
})

describe('waiting for completion', () => {
  it('answers when the last result is stored', async () => {
    const session = await triggerOne((await api.scheduled()).id)
    const waiting = completion(session)
    const jobs = await api.jobs()
    await api.pass(jobs)
    expect(await waiting).toMatchObject({ status: 200, body: { status: 'PASSED', results: [{}] } })
    expect((await completion(session, 1, 'v1')).status).toBe(200)
  })

  it('asks to call again when it takes longer', async () => {
    const session = await triggerOne((await api.scheduled()).id)
    const from = api.plane.clock.now()
    const answer = await api.goOnUntil(completion(session, 2), 500)
    expect(api.plane.clock.now() - from).toBeGreaterThanOrEqual(2000)
    expect(answer).toMatchObject({ status: 408, headers: { 'retry-after': '1' }, body: { statusCode: 408 } })
  })

  it('refuses to wait for no time, for longer than 30 seconds, and for what is no number', async () => {
    const session = await triggerOne((await api.scheduled()).id)
    for (const version of ['v1', 'v2'])
      for (const seconds of [0, 31, 'soon', -1])
        expect(await completion(session, seconds, version)).toMatchObject({
          status: 400,
          body: { validation: { keys: ['maxWaitSeconds'] } },
        })
  })

  it('takes part of a second by the older path only', async () => {
    const session = await triggerOne((await api.scheduled()).id)
    await api.pass(await api.jobs())
    expect((await completion(session, 1.5, 'v1')).status).toBe(200)
    expect((await completion(session, 1.5, 'v2')).status).toBe(400)
  })

  it('of a session that is not there is a 404', async () => {
    for (const id of [randomUUID(), 'no-id'])
      expect(await api.call('GET', `/v1/check-sessions/${id}/completion`)).toMatchObject({
        status: 404,
        body: { message: 'No such check session.' },
      })
  })
})

describe('cancelling a session', () => {
  it('takes back what waits', async () => {
    const session = await triggerOne((await api.scheduled()).id)
    await api.plane.clock.advance(0)
    const waiting = completion(session)
    expect((await cancel(session)).status).toBe(204)
    expect(await waiting).toMatchObject({ status: 200, body: { status: 'CANCELLED' } })
    expect(await api.jobs()).toEqual([])
    expect((await database.db.pool.query('SELECT 1 FROM pending_runs')).rows).toEqual([])
    expect((await read(session, 'v1')).status).toBe('TIMED_OUT')
  })

  it('marks what an agent had begun, which never alerts and changes nothing', async () => {
    const retryStrategy = {
      type: 'FIXED',
      baseBackoffSeconds: 5,
      maxRetries: 1,
      maxDurationSeconds: 600,
      sameRegion: true,
    }
    const check = await api.scheduled({ retryStrategy })
    await givenMailChannel({ db: database.db }, check)
    const session = await triggerOne(check.id)
    const jobs = await api.jobs()
    await cancel(session)
    const renewed = await api.agent.renew(jobs.map(({ lease }) => lease))
    expect(renewed.body).toMatchObject({ cancelled: [jobs[0]?.attemptId] })
    await api.fail(jobs)
    expect(await read(session)).toMatchObject({
      status: 'CANCELLED',
      results: [{ isCancelled: true, hasFailures: false, hasErrors: false, resultType: 'FINAL' }],
    })
    expect((await api.call('GET', '/v1/alert-notifications')).list).toEqual([])
    expect((await api.call('GET', `/v1/check-statuses/${check.id}`)).body).toMatchObject({ hasFailures: false })
    await api.plane.clock.advance(10_000)
    expect(await api.jobs()).toEqual([])
  })

  it('takes back a retry that waits for its time', async () => {
    const retryStrategy = {
      type: 'FIXED',
      baseBackoffSeconds: 300,
      maxRetries: 1,
      maxDurationSeconds: 600,
      sameRegion: true,
    }
    const session = await triggerOne((await api.scheduled({ retryStrategy })).id)
    await api.fail(await api.jobs())
    await cancel(session)
    await api.plane.clock.advance(301_000)
    expect(await api.jobs()).toEqual([])
    expect((await read(session)).status).toBe('CANCELLED')
  })

  it('of one location leaves the others', async () => {
    const check = await api.scheduled({ locations: ['eu-west-1', 'us-east-1'], runParallel: true })
    const session = await triggerOne(check.id)
    const jobs = await api.jobs()
    const dueAt = jobs[0]?.dueAt ?? 0
    expect((await cancel(session, { sequenceId: [sequenceId(check.id, dueAt, 'us-east-1')] })).status).toBe(204)
    await api.pass(jobs)
    expect(await read(session)).toMatchObject({ status: 'PASSED' })
    expect((await cancel(session, { sequenceId: [randomUUID()] })).status).toBe(400)
  })

  it('leaves one that is over as it is', async () => {
    const session = await triggerOne((await api.scheduled()).id)
    await api.pass(await api.jobs())
    expect((await cancel(session)).status).toBe(204)
    expect((await read(session)).status).toBe('PASSED')
  })

  it('lets the check be asked to run again at once', async () => {
    const check = await api.scheduled()
    await cancel(await triggerOne(check.id))
    const again = await triggerOne(check.id)
    await api.pass(await api.jobs())
    expect((await read(again)).status).toBe('PASSED')
  })
})

describe('the list of sessions', () => {
  it('has the newest first, also those that Run now began', async () => {
    const check = await api.scheduled()
    const first = await triggerOne(check.id)
    await api.plane.clock.advance(10)
    const run = (await api.call('POST', `/v1/checks/${check.id}/run`)).body
    const answer = await api.call('GET', '/v2/check-sessions?limit=1')
    expect(answer.headers['content-range']).toBe('0-0/2')
    expect(answer.list).toMatchObject([{ checkSessionId: run.checkSessionId, runSource: 'SCHEDULE_NOW' }])
    await api.pass(await api.jobs())
    const { list } = await api.call('GET', '/v2/check-sessions')
    expect(list).toMatchObject([{ status: 'PASSED' }, { status: 'PASSED', checkSessionId: first.checkSessionId }])
  })
})
