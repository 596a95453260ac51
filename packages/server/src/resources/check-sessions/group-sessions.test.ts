import type { Job } from '@vedette/wire'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { resolveSettings, useEmptiedDatabase } from '../../../test-support/database.ts'
import { redefine } from '../../../test-support/checks.ts'
import { forgetChecks } from '../../../test-support/plane.ts'
import { deletePrivateLocation, givenPrivateLocation } from '../../../test-support/private-locations.ts'
import { givenRunningApi, type RunningApi } from '../../../test-support/running-api.ts'

const database = useEmptiedDatabase()
let api: RunningApi

beforeEach(async () => {
  await forgetChecks(database.db)
  api = await givenRunningApi(database.db)
})
afterEach(() => api.stop())

async function givenGroup(concurrency: number): Promise<number> {
  const name = `Group ${concurrency}`
  const answer = await api.call('POST', '/v2/check-groups', { body: { name, concurrency } })
  expect(answer.status, answer.text).toBe(201)
  return Number(answer.body.id)
}

/** Checks of the group, of which those with a higher order come later. */
async function checksIn(groupId: number, orders: readonly number[]): Promise<string[]> {
  const ids: string[] = []
  for (const groupOrder of orders) ids.push((await api.scheduled({ groupId, groupOrder })).id)
  await resolveSettings(database.db, api.accountId)
  return ids
}

async function trigger(groupId: number) {
  const answer = await api.call('POST', '/v2/check-sessions/trigger', { body: { target: { groupId: [groupId] } } })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.sessions as { checkSessionId: string; checkId: string; runSource: string; status: string }[]
}

const read = async ({ checkSessionId }: { checkSessionId: string }) =>
  (await api.call('GET', `/v2/check-sessions/${checkSessionId}`)).body

const checksOf = (jobs: readonly Job[]) => jobs.map(({ checkId }) => checkId)

describe('a group that is triggered', () => {
  it('runs so many of its checks at a time, those with a lower order first', async () => {
    const group = await givenGroup(2)
    const [last, first, second, third] = await checksIn(group, [9, 1, 2, 3])
    await api.scheduled()
    const sessions = await trigger(group)
    expect(sessions.map(({ checkId }) => checkId)).toEqual([first, second, third, last])
    expect(sessions.map(({ runSource }) => runSource)).toEqual(Array(4).fill('GROUP_RUN_ALL'))

    const begun = await api.jobs()
    expect(new Set(checksOf(begun))).toEqual(new Set([first, second]))
    expect(await api.jobs()).toEqual([])
    expect((await read(sessions[2]!)).status).toBe('STARTED')
    await api.pass(begun.filter(({ checkId }) => checkId === second))
    const next = await api.comingJobs()
    expect(checksOf(next)).toEqual([third])
    await api.fail(next)
    const end = await api.comingJobs()
    expect(checksOf(end)).toEqual([last])
    await api.pass([...begun.filter(({ checkId }) => checkId === first), ...end])
    const statuses = await Promise.all(sessions.map(async (session) => (await read(session)).status))
    expect(statuses).toEqual(['PASSED', 'PASSED', 'FAILED', 'PASSED'])
  })

  it('goes on when a session is cancelled, and skips one that was cancelled while it waited', async () => {
    const group = await givenGroup(1)
    const [first, , third] = await checksIn(group, [1, 2, 3])
    const sessions = await trigger(group)
    const cancel = (at: number) =>
      api.call('POST', `/v2/check-sessions/${String(sessions[at]?.checkSessionId)}/cancel`, { body: {} })
    expect((await cancel(1)).status).toBe(204)
    expect((await read(sessions[1]!)).status).toBe('CANCELLED')
    expect(checksOf(await api.jobs())).toEqual([first])
    expect((await cancel(0)).status).toBe(204)
    expect(checksOf(await api.comingJobs())).toEqual([third])
  })

  it('goes on after a restart, and when a run never comes back', async () => {
    const group = await givenGroup(1)
    const [, second, third] = await checksIn(group, [1, 2, 3])
    const sessions = await trigger(group)
    await api.jobs()
    await database.db.pool.query('DELETE FROM pending_runs')
    await api.crash()
    const { clock } = api.plane
    clock.jump(20 * 60_000)
    api = await givenRunningApi(database.db, { clock, accountId: api.accountId })
    await clock.advance(11_000)
    expect((await read(sessions[0]!)).status).toBe('TIMED_OUT')
    const running = async () => {
      const { rows } = await database.db.pool.query<{ check_id: string }>(
        `SELECT check_id FROM check_sessions WHERE account_id = $1 AND due_at IS NOT NULL AND ended_at IS NULL`,
        [api.accountId],
      )
      return rows
    }
    await expect.poll(running).toEqual([{ check_id: second }])
    // Checks that never ran before the restart run besides.
    for (let looks = 0; looks < 20 && (await running())[0]?.check_id === second; looks++)
      await api.pass((await api.jobs()).filter(({ checkId }) => checkId === second))
    await api.plane.clock.advance(11_000)
    await expect.poll(running).toEqual([{ check_id: third }])
  })

  it('leaves out a check that was switched off while it waited', async () => {
    const group = await givenGroup(1)
    const [first, second, third] = await checksIn(group, [1, 2, 3])
    const sessions = await trigger(group)
    await redefine(database, { id: second!, accountId: api.accountId }, { activated: false })
    await api.pass(await api.jobs())
    expect(checksOf(await api.comingJobs())).toEqual([third])
    expect((await read(sessions[1]!)).status).toBe('CANCELLED')
    expect(first).toBe(sessions[0]?.checkId)
  })

  it('leaves out a check that waited for a location which is gone', async () => {
    const group = await givenGroup(1)
    const office = await givenPrivateLocation(database.db, api.accountId, 'office')
    const [first] = await checksIn(group, [1])
    const { id: second } = await api.scheduled({
      groupId: group,
      groupOrder: 2,
      locations: [],
      privateLocations: [office],
    })
    const [third] = await checksIn(group, [3])
    const sessions = await trigger(group)
    expect(sessions.map(({ checkId }) => checkId)).toEqual([first, second, third])
    await redefine(
      database,
      { id: second, accountId: api.accountId },
      { locations: ['eu-west-1'], privateLocations: [] },
    )
    await deletePrivateLocation(database.db, office)
    await api.pass(await api.jobs())
    expect(checksOf(await api.comingJobs())).toEqual([third])
    expect((await read(sessions[1]!)).status).toBe('CANCELLED')
  })

  it('lends its checks its tags, by which they are found, and none of them runs while it is deactivated', async () => {
    const group = await givenGroup(3)
    const [own] = await checksIn(group, [1])
    await api.scheduled({ tags: ['shop'] })
    const change = (body: object) =>
      api.call('PUT', `/v2/check-groups/${group}`, { body: { name: 'Group 3', ...body }, key: api.keys.admin })
    expect((await change({ tags: ['team', 'eu'] })).status).toBe(200)
    const ofTags = (...matchTags: string[][]) =>
      api.call('POST', '/v2/check-sessions/trigger', { body: { target: { matchTags } } })
    expect((await ofTags(['team', 'eu'], ['nobody'])).body.sessions).toMatchObject([{ checkId: own }])
    expect((await ofTags(['team', '!eu'])).status).toBe(404)
    expect((await change({ activated: false })).status).toBe(200)
    for (const target of [{ groupId: [group] }, { matchTags: [['team']] }, { checkId: [own] }])
      expect((await api.call('POST', '/v2/check-sessions/trigger', { body: { target } })).status).toBe(404)
  })

  it('without checks is a 404', async () => {
    const group = await givenGroup(3)
    const answer = await api.call('POST', '/v2/check-sessions/trigger', { body: { target: { groupId: [group] } } })
    expect(answer).toMatchObject({ status: 404, body: { message: 'No matching checks were found.' } })
  })
})

describe('the trigger of a group', () => {
  it('runs its checks and answers with the outcome of all', async () => {
    const group = await givenGroup(1)
    await checksIn(group, [1, 2])
    const { body, status } = await api.call('POST', `/v1/triggers/check-groups/${group}`)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      groupId: group,
      url: expect.stringContaining(`/check-groups/${group}/trigger/`) as string,
    })
    const path = String(body.url).replace('http://127.0.0.1:8080', '')
    const answer = api.call('GET', path, { headers: { authorization: '' } })
    await api.pass(await api.comingJobs())
    await api.fail(await api.comingJobs())
    expect(await answer).toMatchObject({
      status: 200,
      body: { hasFailures: true, responseTime: 10, sessions: [{}, {}] },
    })
    expect((await api.call('DELETE', `/v1/triggers/check-groups/${group}`)).status).toBe(204)
    expect((await api.call('GET', path)).status).toBe(404)
  })
})
