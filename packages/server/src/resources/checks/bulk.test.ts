import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { givenCopies } from '../../../test-support/checks.ts'
import { useDatabase } from '../../../test-support/database.ts'
import type { ChangeOfCheck } from '../api-deps.ts'

const database = useDatabase()
let api: TestApi
let announced: (readonly ChangeOfCheck[])[]
let ids: string[]

const given = async (n: number, more: object = {}) => {
  const made: string[] = []
  for (let nr = 0; nr < n; nr++) {
    const body = { name: `Shop ${nr}`, tags: ['eu'], request: { url: 'https://shop.example' }, ...more }
    made.push(String((await api.call('POST', '/v1/checks/api', { body })).body['id']))
  }
  return made.toSorted()
}

beforeEach(async () => {
  announced = []
  api = await givenApi(database.db, { hooks: { manyChanged: (_, changes) => void announced.push(changes) } })
  ids = await given(3)
})

const bulk = (change: object, of: readonly string[] = ids) =>
  api.call('POST', '/v1/checks/bulk', { body: { ids: of, change } })
const read = async (id: string | undefined) => (await api.call('GET', `/v1/checks/${id}`)).body

describe('POST /v1/checks/bulk', () => {
  test('pauses checks, activates them again, and says of each which run at once', async () => {
    expect(await bulk({ activated: false })).toMatchObject({
      status: 200,
      body: { changed: ids, unchanged: [], refused: [] },
    })
    expect((await bulk({ activated: false })).body).toEqual({
      changed: [],
      unchanged: ids,
      refused: [],
      undoToken: null,
    })
    for (const id of ids) expect((await read(id))['activated']).toBe(false)
    await bulk({ activated: true })
    expect(announced).toEqual([
      ids.map((checkId) => ({ checkId, change: 'updated', runNow: false })),
      ids.map((checkId) => ({ checkId, change: 'updated', runNow: true })),
    ])
  })

  test('adds and removes tags, each once', async () => {
    await bulk({ addTags: ['shop', 'eu', 'shop'], removeTags: ['us'] })
    expect((await read(ids[0]))['tags']).toEqual(['eu', 'shop'])
    await bulk({ addTags: ['us'], removeTags: ['eu', 'shop'] })
    expect((await read(ids[1]))['tags']).toEqual(['us'])
  })

  test('subscribes and unsubscribes channels, and leaves the other subscriptions', async () => {
    const channel = async () =>
      Number(
        (await api.call('POST', '/v1/alert-channels', { body: { type: 'EMAIL', config: { address: 'a@b.example' } } }))
          .body['id'],
      )
    const [first, second] = [await channel(), await channel()]
    const subscriptions = async () => (await read(ids[0]))['alertChannelSubscriptions']
    await bulk({ addChannels: [first] })
    await api.call('PUT', `/v1/checks/api/${ids[0]}`, {
      body: { alertChannelSubscriptions: [{ alertChannelId: first, activated: false }] },
    })
    await bulk({ addChannels: [second] })
    expect(await subscriptions()).toEqual([
      { alertChannelId: first, activated: false },
      { alertChannelId: second, activated: true },
    ])
    await bulk({ addChannels: [first], removeChannels: [second] })
    expect(await subscriptions()).toEqual([{ alertChannelId: first, activated: true }])
    await bulk({ activated: false })
    expect(await subscriptions()).toEqual([{ alertChannelId: first, activated: true }])
  })

  test('mutes until a moment, for good, and not at all', async () => {
    const mutedUntil = new Date(Date.now() + 3_600_000).toISOString()
    const stored = async () =>
      (await database.db.pool.query('SELECT muted_until FROM checks WHERE id = $1', [ids[0]])).rows[0] as {
        muted_until: Date | null
      }
    await bulk({ mutedUntil })
    expect([(await read(ids[0]))['muted'], (await stored()).muted_until?.toISOString()]).toEqual([true, mutedUntil])
    await bulk({ muted: true })
    expect([(await read(ids[0]))['muted'], (await stored()).muted_until]).toEqual([true, null])
    await bulk({ muted: false })
    expect([(await read(ids[0]))['muted'], (await stored()).muted_until]).toEqual([false, null])
  })

  test('deletes checks, which can be restored', async () => {
    expect((await bulk({ delete: true })).body).toMatchObject({ changed: ids, unchanged: [], refused: [] })
    expect(announced).toEqual([ids.map((checkId) => ({ checkId, change: 'deleted', runNow: false }))])
    expect((await api.call('GET', `/v1/checks/${ids[0]}`)).status).toBe(404)
    expect((await api.call('POST', `/v1/checks/${ids[0]}/restore`)).status).toBe(200)
  })

  test('changes the others when one is not there, is of another account or would not be valid', async () => {
    const own = await givenApi(database.db)
    const strange = String(
      (await own.call('POST', '/v1/checks/api', { body: { name: 'x', request: { url: 'https://x.example' } } })).body[
        'id'
      ],
    )
    const full = (await given(1, { tags: Array.from({ length: 100 }, (_, nr) => `tag ${nr}`) }))[0] ?? ''
    const gone = randomUUID()
    const { body } = await bulk({ addTags: ['shop'] }, [...ids, strange, full, gone, ids[0]?.toUpperCase() ?? ''])
    expect(body['changed']).toEqual(ids)
    const refused = new Map((body['refused'] as { id: string; message: string }[]).map((one) => [one.id, one.message]))
    expect([...refused.keys()].toSorted()).toEqual([strange, full, gone].toSorted())
    expect([refused.get(gone), refused.get(strange)]).toEqual(['No such check.', 'No such check.'])
    expect(refused.get(full)).toContain('"tags"')
    expect((await read(full))['tags']).toHaveLength(100)
  })

  test('has one entry in the audit log for each check, none for those it refused', async () => {
    await bulk({ addTags: ['shop'] }, [...ids, randomUUID()])
    await bulk({ addTags: ['shop'] }, [randomUUID()])
    const { rows } = await database.db.pool.query<{ resource_id: string; before: object; after: object }>(
      `SELECT resource_id, before, after FROM audit_log WHERE account_id = $1 AND action = 'update' ORDER BY resource_id`,
      [api.accountId],
    )
    expect(rows).toMatchObject(
      ids.map((id) => ({ resource_id: id, before: { tags: ['eu'] }, after: { tags: ['eu', 'shop'] } })),
    )
  })

  test('takes all checks of the account, or those of a tag', async () => {
    const [shop] = await given(1, { tags: ['us'] })
    const change = { addTags: ['night'] }
    const post = (body: object) => api.call('POST', '/v1/checks/bulk', { body })
    expect((await post({ all: true, tag: 'us', change })).body).toMatchObject({ changed: [shop] })
    const all = (await post({ all: true, change })).body
    expect(all).toMatchObject({ changed: ids, unchanged: [shop] })
    expect((await post({ change })).status).toBe(400)
    expect((await post({ ids, all: true, change })).status).toBe(400)
    expect((await post({ ids, tag: 'us', change })).status).toBe(400)
    expect((await post({ all: true, change: { restore: true } })).body['message']).toContain('must be sent with "ids"')
  })

  test('takes those that a filter finds', async () => {
    const post = async (filter: object) =>
      (await api.call('POST', '/v1/checks/bulk', { body: { filter, change: { addTags: ['night'] } } })).body
    const group = Number((await api.call('POST', '/v1/check-groups', { body: { name: 'Shop' } })).body['id'])
    const [inGroup] = await given(1, { groupId: group, tags: ['us'] })
    const [named] = await given(1, { name: 'Till', tags: ['us', 'till'], activated: false })
    expect(await post({ groupId: group })).toMatchObject({ changed: [inGroup], unchanged: [] })
    expect(await post({ tag: ['till', 'nothing'] })).toMatchObject({ changed: [named] })
    expect(await post({ search: 'till' })).toMatchObject({ changed: [], unchanged: [named] })
    expect(await post({ status: 'paused', checkType: 'API' })).toMatchObject({ unchanged: [named] })
    expect(await post({ checkType: 'TCP' })).toMatchObject({ changed: [], unchanged: [] })
    expect(await post({})).toMatchObject({ statusCode: 400, validation: { keys: ['filter'] } })
    expect((await read(ids[0]))['tags']).toEqual(['eu'])
  })

  test('changes all that are named together and announces them at once', async () => {
    ids = await givenCopies(database.db, ids[0] ?? '', 118)
    expect((await bulk({ muted: true })).body).toMatchObject({ changed: ids, unchanged: [], refused: [] })
    expect(announced).toEqual([ids.map((checkId) => ({ checkId, change: 'updated', runNow: false }))])
  })

  test.each([
    [{}, 'change', 'must name at least one change'],
    [{ delete: true, muted: true }, 'change.delete', 'must not be sent together'],
    [{ restore: true, muted: false }, 'change.restore', 'must not be sent together'],
    [{ muted: false, mutedUntil: null }, 'change.mutedUntil', 'must not be sent together'],
    [{ mutedUntil: '2020-01-01T00:00:00Z' }, 'change.mutedUntil', 'must be in the future'],
    [{ addChannels: [2_147_483_647] }, 'change.addChannels', 'names no alert channel'],
    [{ addTags: [''] }, 'change.addTags.0', 'must not be empty'],
  ])('refuses the change %j', async (change, key, message) => {
    const answer = await bulk(change)
    expect(answer).toMatchObject({ status: 400, body: { validation: { keys: [key] } } })
    expect(answer.body['message']).toContain(message)
  })

  test('refuses what is no id', async () => {
    const answer = await bulk({ muted: true }, ['x'])
    expect(answer.body['message']).toBe('"ids.0" must be the id of a check (a UUID), got "x"')
  })
})
