import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { useDatabase } from '../../../test-support/database.ts'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { copyCheck } from '../../../test-support/checks.ts'

const database = useDatabase()
let api: TestApi
const request = { url: 'https://shop.example/health' }

const names = (answer: { list: Record<string, unknown>[] }) => answer.list.map(({ name }) => name)

beforeAll(async () => {
  api = await givenApi(database.db)
  for (const [name, more] of [
    ['Shop', { tags: ['web', 'eu'] }],
    ['Basket 100%', { tags: ['web'] }],
    ['Search_index', { tags: ['us'], activated: false }],
  ] as const) {
    await api.call('POST', '/v1/checks/api', { body: { name, request, ...more } })
  }
  await api.call('POST', '/v1/checks/tcp', {
    body: { name: 'Database', request: { hostname: 'db.example', port: 5432 } },
  })
  await database.db.pool.query(
    `UPDATE check_status s SET state = CASE c.name WHEN 'Shop' THEN 'failing' ELSE 'passing' END
     FROM checks c WHERE c.id = s.check_id AND c.account_id = $1`,
    [api.accountId],
  )
})

describe('listing checks', () => {
  test.each([
    ['', ['Shop', 'Basket 100%', 'Search_index', 'Database']],
    ['tag=eu,us', ['Shop', 'Search_index']],
    ['tag=eu&tag=us', ['Shop', 'Search_index']],
    ['tag=none', []],
    ['checkType=TCP', ['Database']],
    ['search=SHOP', ['Shop']],
    ['search=%25', ['Basket 100%']],
    ['search=_', ['Search_index']],
    ['apiCheckUrlFilterPattern=shop.example', ['Shop', 'Basket 100%', 'Search_index']],
    ['apiCheckUrlFilterPattern=db.example', []],
    ['status=failing', ['Shop']],
    ['status=passing', ['Basket 100%', 'Database']],
    ['status=paused', ['Search_index']],
    ['status=failing&tag=us', []],
  ])('?%s answers %j', async (search, expected) => {
    const answer = await api.call('GET', `/v1/checks?${search}`)
    expect(answer.status).toBe(200)
    expect(names(answer)).toEqual(expected)
  })

  test('pages in order of creation and says how many there are', async () => {
    const first = await api.call('GET', '/v1/checks?limit=3')
    const second = await api.call('GET', '/v1/checks?limit=3&page=2')
    expect([...names(first), ...names(second)]).toEqual(['Shop', 'Basket 100%', 'Search_index', 'Database'])
    expect(first.headers['content-range']).toBe('0-2/4')
    expect(second.headers['content-range']).toBe('3-3/4')
    expect((await api.call('GET', '/v1/checks?page=3')).headers['content-range']).toBe('*/4')
  })

  test('each entry is what reading it answers, whatever its type', async () => {
    const { list } = await api.call('GET', '/v1/checks')
    for (const entry of list) expect((await api.call('GET', `/v1/checks/${String(entry.id)}`)).body).toEqual(entry)
  })

  test.each(['status=broken', 'checkType=FTP', 'limit=0', 'page=-1', 'search=', 'colour=red'])(
    '?%s is a 400',
    async (search) => {
      expect((await api.call('GET', `/v1/checks?${search}`)).status).toBe(400)
    },
  )

  test('ten thousand checks are paged and searched without reading them all', async () => {
    const own = await givenApi(database.db)
    const needle = await own.call('POST', '/v1/checks/api', { body: { name: 'Needle', request } })
    await copyCheck(database, String(needle.body['id']), { times: 10_000, name: 'Hay' })
    // The plan follows from statistics, which the database collects at a time of its own.
    await database.db.pool.query('ANALYZE checks')
    const { rows } = await database.db.pool.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT id FROM checks WHERE account_id = '${own.accountId}' AND deleted_at IS NULL ORDER BY created_at, id LIMIT 10`,
    )
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('checks_account')
    const last = await own.call('GET', '/v1/checks?limit=100&page=101')
    expect(last.headers['content-range']).toBe('10000-10000/10001')
    const found = await own.call('GET', '/v1/checks?search=needle')
    expect(names(found)).toEqual(['Needle'])
    await database.db.transaction(async (client) => {
      // Without foreign keys, which would be checked for every row.
      await client.query('SET LOCAL session_replication_role = replica')
      await client.query(`DELETE FROM checks WHERE account_id = $1 AND name LIKE 'Hay %'`, [own.accountId])
    })
  })

  test('nothing of another account is listed', async () => {
    const other = await givenApi(database.db)
    expect((await other.call('GET', '/v1/checks')).list).toEqual([])
    expect((await other.call('GET', `/v1/checks/${randomUUID()}`)).status).toBe(404)
  })
})
