import { describe, expect, test } from 'vitest'
import { useDatabase } from '../../../test-support/database.ts'
import { openTestHttp } from '../../../test-support/http.ts'
import { givenApi } from '../../../test-support/api.ts'
import { givenPrivateLocation } from '../../../test-support/private-locations.ts'
import { overviewRoutes, uptimeHours } from './index.ts'

const database = useDatabase()

interface Item {
  checkId: string
  state: string
  action: string
  host: string
  runs: { outcome: string }[]
}
interface Answer {
  counts: Record<string, number>
  total: number
  tags: string[]
  items: Item[]
}

async function setUp() {
  const { db } = database
  const api = await givenApi(db)
  const uptime = uptimeHours(api.deps)
  const app = await openTestHttp(db, (http) => overviewRoutes(http, { ...api.deps, uptime }))
  const create = async (name: string, more: object = {}) => {
    const body = { name, tags: ['shop'], request: { url: `https://${name.replace('%', '-')}.example/` }, ...more }
    const answer = await api.call('POST', '/v1/checks/api', { body })
    return String(answer.body['id'])
  }
  const set = (checkId: string, state: string, since: string) =>
    db.pool.query('UPDATE check_status SET state = $2, state_since = $3 WHERE check_id = $1', [checkId, state, since])
  const read = async (query = '', key = api.keys.read): Promise<Answer> => {
    const answer = await app.inject({ url: `/v1/overview${query}`, headers: { authorization: `Bearer ${key}` } })
    expect(answer.statusCode).toBe(200)
    return answer.json()
  }
  return { db, api, create, set, read }
}

describe('the overview', () => {
  test('puts trouble first, newest trouble on top, then the rest by name', async () => {
    const { create, set, read } = await setUp()
    await set(await create('zebra'), 'passing', '2026-11-01T00:00:00Z')
    await set(await create('old-outage'), 'failing', '2026-11-01T00:00:00Z')
    await set(await create('new-outage'), 'failing', '2026-11-02T00:00:00Z')
    await set(await create('slow'), 'degraded', '2026-11-03T00:00:00Z')
    await set(await create('alpha'), 'passing', '2026-11-01T00:00:00Z')
    await create('off', { activated: false })
    const { items, counts, total } = await read()
    expect(items.map((item) => item.host)).toEqual([
      'new-outage.example',
      'old-outage.example',
      'slow.example',
      'alpha.example',
      'zebra.example',
      'off.example',
    ])
    expect(counts).toEqual({ failing: 2, degraded: 1, passing: 2, paused: 1 })
    expect(total).toBe(6)
  })

  test('filters by state, tag, text and check, and pages', async () => {
    const { create, set, read } = await setUp()
    const down = await create('down', { tags: ['db'] })
    await set(down, 'failing', '2026-11-01T00:00:00Z')
    await create('percent%sign')
    expect((await read('?state=failing')).items.map((item) => item.checkId)).toEqual([down])
    expect((await read('?tag=db')).total).toBe(1)
    expect((await read('?search=t%25s')).items.map((item) => item.host)).toEqual(['percent-sign.example'])
    expect((await read(`?checkId=${down}`)).total).toBe(1)
    const second = await read('?limit=1&page=2')
    expect(second.items).toHaveLength(1)
    expect(second.total).toBe(2)
    expect(second.tags).toEqual(['db', 'shop'])
  })

  test('finds checks by what they look at, also after it changed', async () => {
    const { api, create, read } = await setUp()
    const created = async (request: object) => {
      const answer = await api.call('POST', '/v1/checks/tcp', { body: { name: 'database', request } })
      return String(answer.body['id'])
    }
    const found = async (search: string) =>
      (await read(`?search=${encodeURIComponent(search)}`)).items.map((item) => item.checkId)
    const shop = await create('shop')
    const database = await created({ hostname: 'db.example', port: 5432 })
    const bare = await created({ hostname: '::1', port: 6379 })
    const bracketed = await created({ hostname: '[::2]', port: 6379 })
    expect(await found('https://SHOP.')).toEqual([shop])
    expect(await found('db.example:5432')).toEqual([database])
    expect(await found('[::1]:6379')).toEqual([bare])
    expect(await found('[::2]:6379')).toEqual([bracketed])
    await api.call('PUT', `/v1/checks/tcp/${database}`, { body: { request: { hostname: 'other.example', port: 1 } } })
    expect(await found('db.example:5432')).toEqual([])
    expect(await found('other.example:1')).toEqual([database])
  })

  test('does not call a check passing that has had no result for long', async () => {
    const { db, api, create, set, read } = await setUp()
    const withResult = async (name: string, minutesAgo: number, more: { state?: string; errors?: boolean } = {}) => {
      const id = await create(name, { frequency: 1 })
      await set(id, more.state ?? 'passing', '2026-11-01T00:00:00Z')
      await db.pool.query(
        'UPDATE check_status SET alert_state = alert_state || $2::jsonb, has_errors = $3 WHERE check_id = $1',
        [id, JSON.stringify({ dueAt: Date.now() - minutesAgo * 60_000 }), more.errors ?? false],
      )
      return id
    }
    const silent = await withResult('silent', 9)
    const broken = await withResult('broken', 3, { errors: true })
    await withResult('fresh', 3)
    await withResult('down', 600, { state: 'failing' })
    expect((await read()).counts).toEqual({ failing: 1, passing: 1, unknown: 2 })
    const statuses = await api.call('GET', '/v1/check-statuses')
    const states = new Map(statuses.list.map((status) => [status['checkId'], status]))
    for (const id of [silent, broken]) {
      expect(states.get(id)).toMatchObject({ state: 'unknown', cause: expect.stringContaining('No run') })
    }
    const listed = await api.call('GET', '/v1/checks?status=unknown')
    expect(new Set(listed.list.map(({ id }) => id))).toEqual(new Set([silent, broken]))
  })

  test('counts the locations where a check runs, and names private ones by their slugs', async () => {
    const { db, api, create, read } = await setUp()
    const office = await givenPrivateLocation(db, api.accountId, 'office')
    const id = await create('shop', { locations: ['eu-west-1'], privateLocations: ['office'], muted: true })
    await create('zoo')
    await db.pool.query('UPDATE check_status SET last_run_location = $2, failing_locations = $3 WHERE check_id = $1', [
      id,
      office,
      ['us-east-1', office],
    ])
    expect((await read()).items).toMatchObject([
      { lastRunLocation: 'office', failingLocations: ['us-east-1', 'office'], locationCount: 2, muted: true },
      { lastRunLocation: null, failingLocations: [], locationCount: 1, muted: false },
    ])
  })

  test('shows nothing of other accounts', async () => {
    const { create, read } = await setUp()
    await create('mine')
    const stranger = await givenApi(database.db)
    expect((await read('', stranger.keys.admin)).items).toEqual([])
  })
})
