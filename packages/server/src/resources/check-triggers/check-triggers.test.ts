import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keysOf } from '../../../test-support/api.ts'
import { redefine } from '../../../test-support/checks.ts'
import { givenAccount, useEmptiedDatabase } from '../../../test-support/database.ts'
import { forgetChecks } from '../../../test-support/plane.ts'
import { givenRunningApi, type RunningApi } from '../../../test-support/running-api.ts'

const database = useEmptiedDatabase()
let api: RunningApi

beforeEach(async () => {
  await forgetChecks(database.db)
  api = await givenRunningApi(database.db)
})
afterEach(() => api.stop())

const pathOf = (checkId: string) => `/v1/triggers/checks/${checkId}`
const created = async (checkId: string) => (await api.call('POST', pathOf(checkId))).body

/** Calls without a key, as whoever has the address does. */
const callAddress = (url: unknown, query = '', method: 'GET' | 'POST' = 'GET') =>
  api.call(method, `${String(url).replace('http://127.0.0.1:8080', '')}${query}`, { headers: { authorization: '' } })

describe('a trigger', () => {
  it('is created once, shown to who may run the check, and deleted', async () => {
    const { id } = await api.scheduled()
    const answer = await api.call('POST', pathOf(id), { key: api.keys.write })
    expect(answer).toMatchObject({
      status: 201,
      body: { id: expect.any(Number) as number, checkId: id, called_at: null, updated_at: null },
    })
    const { token, url } = answer.body
    expect(url).toBe(`http://127.0.0.1:8080/checks/${id}/trigger/${String(token)}`)
    expect((await api.call('POST', pathOf(id))).status).toBe(409)
    expect(await api.call('GET', pathOf(id), { key: api.keys.run })).toMatchObject({ status: 200, body: answer.body })
    expect((await api.call('GET', pathOf(id), { key: api.keys.read })).status).toBe(403)
    expect((await api.call('DELETE', pathOf(id))).status).toBe(204)
    expect((await api.call('GET', pathOf(id))).status).toBe(404)
    expect((await callAddress(url)).status).toBe(404)
    expect((await created(id)).token).not.toBe(token)
  })

  it('is sealed where it is stored, and in no line of the audit log', async () => {
    const { token } = await created((await api.scheduled()).id)
    const { rows } = await database.db.pool.query(
      `SELECT secrets::text AS text FROM check_triggers
       UNION ALL SELECT coalesce(after::text, '') || coalesce(before::text, '') FROM audit_log`,
    )
    expect(rows.length).toBeGreaterThan(1)
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  it('is of one account', async () => {
    const { id } = await api.scheduled()
    await created(id)
    const { admin: key } = await keysOf(database.db, await givenAccount(database.db))
    for (const method of ['GET', 'POST', 'DELETE'] as const)
      expect((await api.call(method, pathOf(id), { key })).status).toBe(404)
  })
})

describe('calling a trigger', () => {
  it('runs the check and answers with the outcome', async () => {
    const { id } = await api.scheduled()
    const { url } = await created(id)
    for (const [method, end, hasFailures] of [
      ['GET', api.pass, false],
      ['POST', api.fail, true],
    ] as const) {
      await api.plane.clock.advance(1)
      const answer = callAddress(url, '?deployment=true&sha=1f2e', method)
      await end(await api.comingJobs())
      expect(await answer).toMatchObject({ status: 200, body: { hasFailures, responseTime: 10 } })
    }
    const { list } = await api.call('GET', '/v2/check-sessions')
    expect(list).toMatchObject([
      { checkId: id, status: 'FAILED', runSource: 'TRIGGER_API' },
      { checkId: id, status: 'PASSED' },
    ])
    expect((await api.call('GET', pathOf(id))).body.called_at).toBe(list[0]?.startedAt)
  })

  it('runs it where the caller says', async () => {
    const { url } = await created((await api.scheduled()).id)
    const answer = callAddress(url, '?runLocation=ap-south-1')
    const jobs = await api.comingJobs()
    expect(jobs.map(({ location }) => location)).toEqual(['ap-south-1'])
    await api.pass(jobs)
    expect((await answer).status).toBe(200)
    expect(await callAddress(url, '?runLocation=nowhere')).toMatchObject({
      status: 400,
      body: { validation: { source: 'query', keys: ['runLocation'] } },
    })
  })

  it('says that it is not over after two minutes', async () => {
    const { url } = await created((await api.scheduled()).id)
    const from = api.plane.clock.now()
    const answer = await api.goOnUntil(callAddress(url), 5000)
    expect(answer).toMatchObject({ status: 202, body: { hasFailures: null, responseTime: null } })
    expect(api.plane.clock.now() - from).toBeGreaterThanOrEqual(120_000)
  })

  it('is refused with another token, for another check and for one that is paused', async () => {
    const [check, other] = [await api.scheduled(), await api.scheduled()]
    const { url, token } = await created(check.id)
    await created(other.id)
    expect((await callAddress(`${String(url)}x`)).status).toBe(404)
    expect((await callAddress(`/checks/${other.id}/trigger/${String(token)}`)).status).toBe(404)
    expect((await callAddress(`/checks/${randomUUID()}/trigger/${String(token)}`)).status).toBe(404)
    expect((await callAddress('/checks/no-id/trigger/x')).status).toBe(404)
    expect((await callAddress(url, '?colour=red')).status).toBe(400)
    await redefine(database, check, { activated: false })
    expect(await callAddress(url)).toMatchObject({
      status: 404,
      body: { message: 'No matching checks were found.' },
    })
    await database.db.pool.query('UPDATE checks SET deleted_at = now() WHERE id = $1', [check.id])
    expect((await callAddress(url)).status).toBe(404)
  })

  it('is refused for the eleventh time in a minute, of this trigger alone', async () => {
    const [check, other] = [await api.scheduled({ activated: false }), await api.scheduled({ activated: false })]
    const [{ url }, { url: otherUrl }] = [await created(check.id), await created(other.id)]
    for (let call = 0; call < 10; call++) expect((await callAddress(url)).status).toBe(404)
    const refused = await callAddress(url)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await callAddress(otherUrl)).status).toBe(404)
    await api.plane.clock.advance(60_001)
    expect((await callAddress(url)).status).toBe(404)
  })
})
