import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { useDatabase } from '../../../test-support/database.ts'
import { parentsFirst } from './kinds/parents-first.ts'

const database = useDatabase()
const apis: TestApi[] = []
let api: TestApi

beforeEach(async () => {
  api = await givenApi(database.db)
  apis.push(api)
})
afterAll(() => Promise.all(apis.map(({ app }) => app.close())))

const check = (name: string, parents?: readonly string[]) => ({
  type: 'API',
  name,
  request: { method: 'GET', url: 'https://shop.example/' },
  ...(parents && { parents }),
})
const bring = (checks: readonly object[], query = '') => api.call('POST', `/v1/import${query}`, { body: { checks } })
const exported = async (of = api) => {
  const { checks = [] } = (await of.call('GET', '/v1/export')).body as {
    checks?: { name: string; parents?: string[] }[]
  }
  return Object.fromEntries(checks.map(({ name, parents }) => [name, parents]))
}
const actions = ({ body }: { body: Record<string, unknown> }) =>
  (body['plan'] as { name: string; action: string }[]).map(({ name, action }) => `${name} ${action}`)

describe('parents in files', () => {
  it('are names of checks of the same files, in whatever order they stand', async () => {
    const answer = await bring([check('Cart', ['Shop', 'Gateway']), check('Shop', ['Gateway']), check('Gateway')])
    expect(answer.status, answer.text).toBe(200)
    expect(await exported()).toEqual({ Cart: ['Gateway', 'Shop'], Shop: ['Gateway'], Gateway: undefined })
  })

  it('come back as they were exported, to another account too, and then change nothing', async () => {
    await bring([check('Cart', ['Shop', 'Gateway']), check('Shop', ['Gateway']), check('Gateway')])
    const document = (await api.call('GET', '/v1/export')).body
    expect(
      actions(await api.call('POST', '/v1/import', { body: document })).every((one) => one.endsWith('unchanged')),
    ).toBe(true)
    const other = await givenApi(database.db)
    apis.push(other)
    expect((await other.call('POST', '/v1/import', { body: document })).status).toBe(200)
    expect(await exported(other)).toEqual(await exported())
  })

  it('are changed with a plan that names them, also where old and new ones would form a circle together', async () => {
    await bring([check('A', ['B']), check('B'), check('C')])
    const turned = [check('A'), check('B', ['A']), check('New'), check('C', ['New'])]
    const plan = await bring(turned, '?dryRun=true')
    expect(actions(plan)).toEqual(['A change', 'B change', 'New create', 'C change'])
    expect(JSON.stringify(plan.body)).toContain('"path":"parents"')
    expect((await bring(turned)).status).toBe(200)
    expect(await exported()).toEqual({ A: undefined, B: ['A'], New: undefined, C: ['New'] })
  })

  it.each([
    ['of new checks', () => Promise.resolve()],
    ['of checks that there are', () => bring([check('A'), check('B')])],
  ])('are refused in a circle %s, and nothing is stored', async (_of, before) => {
    await before()
    const was = await exported()
    const { status, body } = await bring([check('A', ['B']), check('B', ['A']), check('C', ['A'])])
    expect(status).toBe(400)
    expect(body['message']).toContain('check "A": "parents" must not make a circle: "A" depends on "B" depends on "A"')
    expect(body['message']).not.toContain('check "C"')
    expect(await exported()).toEqual(was)
  })

  it('must be there, and not be deleted by the same import', async () => {
    const { status, body } = await bring([check('A', ['Nobody'])])
    expect([status, body['message']]).toEqual([
      400,
      'check "A": "parents.0" names no check that there will be, got "Nobody"',
    ])
    await bring([check('A', ['B']), check('B')])
    const deleting = await bring([check('A', ['B'])], '?delete=true')
    expect(deleting.body['message']).toContain('"parents.0" names no check that there will be, got "B"')
  })

  it('that are refused themselves are told of once', async () => {
    const { body } = await bring([check('A', ['B']), { ...check('B'), frequency: 3 }])
    expect(String(body['message']).split('\n')).toHaveLength(1)
  })

  it('are called by their name in files', async () => {
    const { status, body } = await bring([{ ...check('A'), parentCheckIds: [] }])
    expect([status, body['message']]).toEqual([400, expect.stringContaining('is "parents" in files')])
  })
})

it('a thing comes after all that it depends on', () => {
  const above: Record<string, string[]> = { a: ['b', 'x'], b: ['c'], c: [], d: ['e'], e: ['d'], f: ['e'] }
  const { levels, circles } = parentsFirst(Object.keys(above), {
    nameOf: (one) => one,
    parentsOf: (one) => above[one] ?? [],
  })
  expect(levels).toEqual([['c'], ['b'], ['a'], ['f']])
  expect([...circles]).toEqual([
    ['d', ['d', 'e', 'd']],
    ['e', ['e', 'd', 'e']],
  ])
})
