import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { useDatabase } from '../../../test-support/database.ts'
import { testVault } from '../../../test-support/vault.ts'
import { readListeners } from '../../alerting/notifications/alert-store.ts'
import type { ChangeOfCheck } from '../api-deps.ts'
import { RevisionsToRun } from '../../agents/jobs/revisions-to-run.ts'

const database = useDatabase()
let api: TestApi
const told: ChangeOfCheck[][] = []
const updated = (checkId: string, runNow = false): ChangeOfCheck => ({ checkId, change: 'updated', runNow })

beforeAll(async () => {
  api = await givenApi(database.db, { hooks: { manyChanged: (_account, changes) => void told.push([...changes]) } })
})
afterAll(() => api.app.close())

const givenGroup = async (body: object = {}) =>
  Number((await api.call('POST', '/v2/check-groups', { body: { name: 'Shop', ...body } })).body.id)
const change = (id: number, body: object) =>
  api.call('PUT', `/v2/check-groups/${id}`, { body: { name: 'Shop', ...body } })
const givenCheck = async (groupId: number | null, more: Record<string, unknown> = {}, path = 'api') => {
  const request = path === 'api' ? { url: '{{GROUP_BASE_URL}}/x' } : { hostname: 'db.example', port: 1 }
  const made = await api.call('POST', `/v1/checks/${path}`, { body: { name: 'Front', groupId, request, ...more } })
  expect(made.status).toBe(201)
  return String(made.body.id)
}
const inForce = async (id: string) => (await api.call('GET', `/v1/checks/${id}?applyGroupSettings=true`)).body
const own = async (id: string) => (await api.call('GET', `/v1/checks/${id}`)).body

/** What the next run of the check is given. */
async function toRun(id: string) {
  const { rows } = await database.db.pool.query<{ revision: number }>('SELECT revision FROM checks WHERE id = $1', [id])
  const revision = rows[0]?.revision ?? 0
  const revisions = new RevisionsToRun({ db: database.db, vault: testVault })
  const [found] = await revisions.of([{ checkId: id, revision, accountId: api.accountId }])
  if (found === undefined || found instanceof Error) throw found ?? new Error('nothing found')
  return { revision, ...(found.definition as { request: Record<string, unknown>; environmentVariables: unknown }) }
}

describe('settings of a group', () => {
  it('count for its checks at once, and no longer when they leave', async () => {
    const group = await givenGroup({ tags: ['team'], locations: ['us-east-1'], retryStrategy: { type: 'LINEAR' } })
    const id = await givenCheck(group, { tags: ['shop'], locations: ['eu-west-1'] })
    expect(await inForce(id)).toMatchObject({
      tags: ['shop', 'team'],
      locations: ['us-east-1'],
      retryStrategy: { type: 'LINEAR' },
    })
    expect(await own(id)).toMatchObject({ tags: ['shop'], locations: ['eu-west-1'], retryStrategy: null })
    expect((await api.call('GET', '/v1/checks?tag=team')).list.map((check) => check.id)).toContain(id)
    await change(group, { locations: [], tags: [] })
    expect(await inForce(id)).toMatchObject({ tags: ['shop'], locations: ['eu-west-1'] })
    await change(group, { locations: ['af-south-1'] })
    await api.call('PUT', `/v1/checks/api/${id}`, { body: { groupId: null } })
    expect(await inForce(id)).toMatchObject({ locations: ['eu-west-1'], retryStrategy: null })
  })

  it('stop and mute its checks; the schedule is told of those concerned, and runs at once what is switched on', async () => {
    const group = await givenGroup()
    const [id, paused] = [await givenCheck(group), await givenCheck(group, { activated: false })]
    told.length = 0
    await change(group, { activated: false })
    expect(told).toEqual([[updated(id)]])
    expect([(await own(id)).activated, (await inForce(id)).activated]).toEqual([true, false])
    told.length = 0
    await change(group, { activated: true, muted: true })
    expect(told).toEqual([[updated(id, true)]])
    expect([(await inForce(id)).activated, (await inForce(id)).muted]).toEqual([true, true])
    expect((await inForce(paused)).activated).toBe(false)
    told.length = 0
    await change(group, { concurrency: 9 })
    expect(told).toEqual([])
  })

  it('a check that is added to a group that does not run does not run', async () => {
    const group = await givenGroup({ activated: false })
    api.changes.length = 0
    const id = await givenCheck(group)
    expect(api.changes).toEqual([{ checkId: id, change: 'created', runNow: false }])
    await api.call('PUT', `/v1/checks/api/${id}`, { body: { name: 'Other' } })
    expect((await inForce(id)).activated).toBe(false)
  })

  it('and a change of the account reach its checks in any order', async () => {
    const group = await givenGroup({ useGlobalAlertSettings: true })
    const id = await givenCheck(group, { useGlobalAlertSettings: false, alertSettings: {} })
    const body = { alertSettings: { runBasedEscalation: { failedRunThreshold: 4 } } }
    await api.call('PATCH', '/v1/accounts/me', { body })
    expect(await inForce(id)).toMatchObject({ alertSettings: { runBasedEscalation: { failedRunThreshold: 4 } } })
    await change(group, { useGlobalAlertSettings: null })
    expect(await inForce(id)).toMatchObject({ alertSettings: { runBasedEscalation: { failedRunThreshold: 1 } } })
  })

  it('written by two at a time leave what the last of them says', async () => {
    const group = await givenGroup()
    const id = await givenCheck(group)
    await Promise.all(
      ['us-east-1', 'eu-west-1', 'eu-west-2', 'af-south-1'].flatMap((location, n) => [
        change(group, { locations: [location] }),
        api.call('PUT', `/v1/checks/api/${id}`, { body: { name: `Front ${n}` } }),
      ]),
    )
    const { body } = await api.call('GET', `/v1/check-groups/${group}`)
    expect((await inForce(id)).locations).toEqual(body.locations)
  })
})

describe('what a group adds to the requests of its checks', () => {
  const apiCheckDefaults = {
    url: 'https://shop.example',
    headers: [
      { key: 'X-Team', value: 'web' },
      { key: 'accept', value: 'text/html' },
    ],
    queryParameters: [{ key: 'probe', value: '1' }],
    assertions: [{ source: 'STATUS_CODE', comparison: 'EQUALS', target: '200' }],
    basicAuth: { username: 'joe', password: 'hunter2' },
  }
  const environmentVariables = [
    { key: 'TOKEN', value: 'hush-hush', secret: true },
    { key: 'PLACE', value: 'group' },
  ]

  it('is run with the check, whose own values win', async () => {
    const group = await givenGroup({ apiCheckDefaults, environmentVariables })
    const id = await givenCheck(group, {
      request: {
        url: '{{GROUP_BASE_URL}}/x',
        headers: [{ key: 'Accept', value: 'application/json' }],
        assertions: [{ source: 'RESPONSE_TIME', comparison: 'LESS_THAN', target: '900' }],
      },
      environmentVariables: [{ key: 'PLACE', value: 'check', secret: true }],
    })
    const run = await toRun(id)
    expect(run.request).toMatchObject({
      headers: [
        { key: 'Accept', value: 'application/json' },
        { key: 'X-Team', value: 'web' },
      ],
      queryParameters: [{ key: 'probe', value: '1' }],
      assertions: [{ source: 'RESPONSE_TIME' }, { source: 'STATUS_CODE' }],
      basicAuth: { username: 'joe', password: 'hunter2' },
    })
    expect(run.environmentVariables).toEqual([
      { key: 'PLACE', value: 'check', locked: false, secret: true },
      { key: 'GROUP_BASE_URL', value: 'https://shop.example', locked: false, secret: false },
      { key: 'TOKEN', value: 'hush-hush', locked: false, secret: true },
    ])
    const shown = await api.call('GET', `/v1/checks/${id}?applyGroupSettings=true`)
    expect(shown.text).toContain('X-Team')
    expect(shown.text).not.toMatch(/hunter2|hush-hush/)
    expect((await own(id)).request).toMatchObject({ assertions: [{ source: 'RESPONSE_TIME' }], basicAuth: null })
  })

  it('is another revision of each check when it changes, and the same one when it does not', async () => {
    const group = await givenGroup({ apiCheckDefaults })
    const id = await givenCheck(group)
    await change(group, { muted: true })
    expect((await toRun(id)).revision).toBe(1)
    told.length = 0
    await change(group, { apiCheckDefaults: { ...apiCheckDefaults, url: 'https://other.example' } })
    expect(told).toEqual([[updated(id)]])
    expect(await toRun(id)).toMatchObject({
      revision: 2,
      environmentVariables: [{ key: 'GROUP_BASE_URL', value: 'https://other.example' }],
    })
    const { rows } = await database.db.pool.query(
      `SELECT revision, effective->'muted' AS muted FROM check_revisions WHERE check_id = $1 ORDER BY revision`,
      [id],
    )
    expect(rows).toEqual([
      { revision: 1, muted: true },
      { revision: 2, muted: null },
    ])
  })

  it('reaches more checks than fit one batch', async () => {
    const group = await givenGroup()
    const ids = []
    for (let n = 0; n < 120; n++) ids.push(await givenCheck(group))
    await change(group, { apiCheckDefaults })
    const { rows } = await database.db.pool.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM checks c JOIN check_revisions r ON r.check_id = c.id AND r.revision = c.revision
       WHERE c.group_id = $1 AND c.revision = 2 AND r.definition->'request'->'headers' @> '[{"key": "X-Team"}]'`,
      [group],
    )
    expect(rows).toEqual([{ n: ids.length }])
  })

  it('are variables alone for checks of other types', async () => {
    const group = await givenGroup({ apiCheckDefaults, environmentVariables })
    const id = await givenCheck(group, {}, 'tcp')
    const run = await toRun(id)
    expect(run.request).not.toHaveProperty('headers')
    expect(run.environmentVariables).toHaveLength(3)
  })

  it('makes them wait when it has scripts, which nothing can run yet', async () => {
    const group = await givenGroup()
    const [id, tcp] = [await givenCheck(group), await givenCheck(group, {}, 'tcp')]
    const reasons = async () => {
      const { rows } = await database.db.pool.query<{ id: string; not_runnable: string | null }>(
        'SELECT id, not_runnable FROM checks WHERE group_id = $1',
        [group],
      )
      return new Map(rows.map((row) => [row.id, row.not_runnable]))
    }
    await change(group, { localSetupScript: 'request.body = ""' })
    expect((await reasons()).get(id)).toContain('scripts of its group cannot be run yet')
    expect((await reasons()).get(tcp)).toBeNull()
    told.length = 0
    await change(group, { localSetupScript: null })
    expect((await reasons()).get(id)).toBeNull()
    expect(told.flat()).toHaveLength(2)
    expect(told.flat()).toEqual(expect.arrayContaining([updated(id, true), updated(tcp)]))
  })
})

describe('alert channels of a group', () => {
  it('hear of its checks if the group says whose alert settings they have', async () => {
    const body = { type: 'WEBHOOK', config: { name: 'Ops', url: 'https://ops.example.com/hook', method: 'POST' } }
    const channel = Number((await api.call('POST', '/v1/alert-channels', { body })).body.id)
    const subscriptions = { alertChannelSubscriptions: [{ alertChannelId: channel, activated: true }] }
    const group = await givenGroup(subscriptions)
    const id = await givenCheck(group)
    await api.call('PUT', `/v1/checks/api/${id}`, { body: { alertChannelSubscriptions: [] } })
    const listeners = async () => (await readListeners(database.db.pool, [id])).map((each) => each.channel_id)
    expect(await listeners()).toEqual([])
    await change(group, { alertSettings: {} })
    expect(await listeners()).toEqual([channel])
    expect((await own(id)).alertChannelSubscriptions).toEqual([])
    expect((await inForce(id)).alertChannelSubscriptions).toEqual([{ alertChannelId: channel, activated: true }])
    await api.call('PUT', `/v1/checks/api/${id}`, { body: subscriptions })
    expect(await listeners()).toEqual([channel])
    await api.call('PUT', `/v1/checks/api/${id}`, {
      body: { alertChannelSubscriptions: [{ alertChannelId: channel, activated: false }] },
    })
    expect(await listeners()).toEqual([channel])
    await change(group, { alertChannelSubscriptions: [] })
    expect(await listeners()).toEqual([])
  })
})

describe('the checks of a group', () => {
  it('are listed by their order, with what counts for them', async () => {
    const group = await givenGroup({ tags: ['team'] })
    const second = await givenCheck(group, { groupOrder: 2 })
    const first = await givenCheck(group, { groupOrder: 1 })
    const last = await givenCheck(group)
    await givenCheck(null)
    for (const version of [1, 2]) {
      const answer = await api.call('GET', `/v${version}/check-groups/${group}/checks?limit=2`)
      expect(answer.list.map((check) => check.id)).toEqual([first, second])
      expect(answer.headers['content-range']).toBe('0-1/3')
      const one = await api.call('GET', `/v${version}/check-groups/${group}/checks/${last}`)
      expect(one.body).toMatchObject({ id: last, checkType: 'API', tags: ['team'] })
    }
    const elsewhere = await givenGroup()
    expect((await api.call('GET', `/v1/check-groups/${elsewhere}/checks/${last}`)).status).toBe(404)
    expect((await api.call('GET', '/v1/check-groups/2000000000/checks')).status).toBe(404)
  })

  it('are moved many at a time, and back', async () => {
    const [from, to] = [await givenGroup(), await givenGroup({ locations: ['af-south-1'] })]
    const ids = [await givenCheck(from), await givenCheck(null)]
    const moved = await api.call('POST', '/v1/checks/bulk', { body: { ids, change: { groupId: to } } })
    expect(moved.status).toBe(200)
    expect([...(moved.body.changed as string[])].toSorted()).toEqual(ids.toSorted())
    for (const id of ids) expect(await inForce(id)).toMatchObject({ groupId: to, locations: ['af-south-1'] })
    await api.call('POST', '/v1/checks/bulk/undo', { body: { token: moved.body.undoToken } })
    expect([(await own(ids[0] ?? '')).groupId, (await own(ids[1] ?? '')).groupId]).toEqual([from, null])
    const refused = await api.call('POST', '/v1/checks/bulk', { body: { ids, change: { groupId: 2_000_000_000 } } })
    expect([refused.status, refused.body.message]).toEqual([
      400,
      '"change.groupId" names no check group of this account, got 2000000000',
    ])
  })
})
