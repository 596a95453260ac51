import { describe, expect, test } from 'vitest'
import type { OverviewAnswer } from '@vedette/wire'
import { useDatabase } from '../../../test-support/database.ts'
import { openTestHttp } from '../../../test-support/http.ts'
import { givenApi } from '../../../test-support/api.ts'
import { overviewRoutes, uptimeHours } from './index.ts'

const database = useDatabase()

async function setUp() {
  const { db } = database
  const api = await givenApi(db)
  const app = await openTestHttp(db, (http) => overviewRoutes(http, { ...api.deps, uptime: uptimeHours(api.deps) }))
  const create = async (name: string, more: object = {}, status: Record<string, unknown> = {}) => {
    const body = { name, request: { url: `https://${name}.example/` }, ...more }
    const { body: check } = await api.call('POST', '/v1/checks/api', { body })
    const columns = { state: 'passing', state_since: '2026-11-01T00:00:00Z', ...status }
    await db.pool.query(
      `UPDATE check_status SET ${Object.keys(columns)
        .map((column, index) => `${column} = $${index + 2}`)
        .join(', ')} WHERE check_id = $1`,
      [check['id'], ...Object.values(columns)],
    )
    return String(check['id'])
  }
  const read = async (query = ''): Promise<OverviewAnswer> => {
    const answer = await app.inject({
      url: `/v1/overview?${query}`,
      headers: { authorization: `Bearer ${api.keys.read}` },
    })
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json()
  }
  const names = async (query = '') => (await read(query)).items?.map(({ name }) => name)
  const group = async (name: string) =>
    Number((await api.call('POST', '/v2/check-groups', { body: { name } })).body['id'])
  return { create, read, names, group }
}

describe('the overview', () => {
  test('finds checks by host, type, muting and the lack of tags', async () => {
    const { create, names } = await setUp()
    await create('shop', { tags: ['a'], muted: true })
    await create('stock', { request: { url: 'https://SHOP.example:443/stock' } })
    await create('other', { request: { url: 'https://shop.example:8443/' } })
    expect(await names('host=shop.example&sort=name')).toEqual(['shop', 'stock'])
    expect(await names('host=shop.example:8443')).toEqual(['other'])
    expect(await names('muted=true')).toEqual(['shop'])
    expect(await names('muted=false&sort=name')).toEqual(['other', 'stock'])
    expect(await names('untagged=true&sort=name')).toEqual(['other', 'stock'])
    expect(await names('untagged=false')).toEqual(['shop'])
    expect(await names('type=TCP,ICMP')).toEqual([])
    expect(await names('type=TCP,API&host=shop.example&muted=true')).toEqual(['shop'])
  })

  test('sorts by name, by the last run and by its response time', async () => {
    const { create, names } = await setUp()
    await create('beta', {}, { last_run_at: '2026-11-02T00:00:00Z', last_response_ms: 5 })
    await create('Alpha', {}, { state: 'failing', last_run_at: '2026-11-01T00:00:00Z', last_response_ms: 90 })
    await create('gamma')
    expect(await names()).toEqual(['Alpha', 'beta', 'gamma'])
    expect(await names('sort=name')).toEqual(['Alpha', 'beta', 'gamma'])
    expect(await names('sort=lastRun')).toEqual(['beta', 'Alpha', 'gamma'])
    expect(await names('sort=responseTime')).toEqual(['Alpha', 'beta', 'gamma'])
    expect(await names('sort=name&limit=2&page=2')).toEqual(['gamma'])
  })

  test('groups by tag, host and state: those with failing checks first', async () => {
    const { create, read } = await setUp()
    await create('one', { tags: ['Api', 'web'] })
    await create('two', { tags: ['web'], request: { url: 'https://one.example/' } }, { state: 'failing' })
    await create('none', { tags: [] }, { state: 'degraded' })
    const groupsBy = async (query: string) => (await read(`with=groups&${query}`)).groups
    expect(await groupsBy('groupBy=tag')).toEqual([
      { key: 'web', label: 'web', total: 2, counts: { failing: 1, passing: 1 } },
      { key: 'Api', label: 'Api', total: 1, counts: { passing: 1 } },
      { key: null, label: null, total: 1, counts: { degraded: 1 } },
    ])
    expect(await groupsBy('groupBy=host')).toEqual([
      { key: 'one.example', label: 'one.example', total: 2, counts: { failing: 1, passing: 1 } },
      { key: 'none.example', label: 'none.example', total: 1, counts: { degraded: 1 } },
    ])
    expect((await groupsBy('groupBy=state'))?.map(({ key }) => key)).toEqual(['failing', 'degraded', 'passing'])
    expect(await groupsBy('groupBy=tag&state=passing')).toEqual([
      { key: 'web', label: 'web', total: 1, counts: { failing: 1, passing: 1 } },
      { key: 'Api', label: 'Api', total: 1, counts: { passing: 1 } },
    ])
    expect((await read('groupBy=tag&tag=web')).items?.map(({ name }) => name)).toEqual(['two', 'one'])
  })

  test('groups by check group, by its name', async () => {
    const { create, read, names, group } = await setUp()
    const [shop, api] = [await group('Shop'), await group('api')]
    await group('Empty')
    await create('one', { groupId: shop })
    await create('two', { groupId: api })
    await create('three', { groupId: shop })
    await create('free', {}, { state: 'failing' })
    expect((await read('with=groups&groupBy=group')).groups).toEqual([
      { key: null, label: null, total: 1, counts: { failing: 1 } },
      { key: String(api), label: 'api', total: 1, counts: { passing: 1 } },
      { key: String(shop), label: 'Shop', total: 2, counts: { passing: 2 } },
    ])
    expect(await names(`group=${shop}&sort=name`)).toEqual(['one', 'three'])
    expect(await names('ungrouped=true')).toEqual(['free'])
    expect(await names('ungrouped=false&sort=name')).toEqual(['one', 'three', 'two'])
    expect((await read(`group=${api}`)).items?.[0]?.group).toEqual({ id: api, name: 'api' })
  })

  test('answers with the parts that are asked for, and with all of them otherwise', async () => {
    const { create, read } = await setUp()
    await create('one', { tags: ['web'] })
    const parts = async (query = '') => Object.keys(await read(query)).toSorted()
    expect(await parts()).toEqual(['counts', 'items', 'serverTime', 'tags', 'total'])
    expect(await parts('with=items')).toEqual(['items', 'serverTime'])
    expect(await parts('section=trouble')).toEqual(await parts())
    expect(await parts('with=counts,tags')).toEqual(['counts', 'serverTime', 'tags', 'total'])
    expect(await parts('groupBy=host&with=groups')).toEqual(['groups', 'serverTime'])
    expect(await parts('groupBy=host')).toEqual(['counts', 'groups', 'items', 'serverTime', 'tags', 'total'])
  })
})
