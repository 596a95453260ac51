import { beforeEach, describe, expect, test } from 'vitest'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { useDatabase } from '../../../test-support/database.ts'
import { deleteExpiredSignIns } from '../../operations/store.ts'

const database = useDatabase()
let api: TestApi
let ids: string[]

beforeEach(async () => {
  api = await givenApi(database.db)
  ids = []
  for (const name of ['Shop', 'Till']) {
    const body = { name, tags: [name], request: { url: 'https://shop.example' } }
    ids.push(String((await api.call('POST', '/v1/checks/api', { body })).body['id']))
  }
  ids.sort()
})

const bulk = async (change: object) =>
  (await api.call('POST', '/v1/checks/bulk', { body: { ids, change } })).body as { undoToken: string | null }
const undo = (token: unknown, by = api) => by.call('POST', '/v1/checks/bulk/undo', { body: { token } })
const read = async () => Promise.all(ids.map(async (id) => (await api.call('GET', `/v1/checks/${id}`)).body))

describe('the token of a change of many checks', () => {
  test('takes it back whole, once', async () => {
    const before = (await read()).map(({ tags, activated, muted }) => ({ tags, activated, muted }))
    const { undoToken } = await bulk({ activated: false, muted: true, addTags: ['Shop', 'night'] })
    expect(await undo(undoToken)).toMatchObject({ status: 200, body: { unchanged: [], refused: [] } })
    expect((await read()).map(({ tags, activated, muted }) => ({ tags, activated, muted }))).toEqual(before)
    expect((await undo(undoToken)).status).toBe(404)
  })

  test('brings deleted checks back', async () => {
    const { undoToken } = await bulk({ delete: true })
    expect((await undo(undoToken)).body).toEqual({ changed: ids, unchanged: [], refused: [] })
    expect((await read()).map(({ id }) => id)).toEqual(ids)
  })

  test('says of each check that is gone meanwhile why it is not what it was', async () => {
    const { undoToken } = await bulk({ muted: true })
    await api.call('DELETE', `/v1/checks/${ids[0]}`)
    expect((await undo(undoToken)).body).toEqual({
      changed: [ids[1]],
      unchanged: [],
      refused: [{ id: ids[0], message: 'No such check.' }],
    })
  })

  test('ends a mute whose end has passed meanwhile', async () => {
    await bulk({ mutedUntil: new Date(Date.now() + 3_600_000).toISOString() })
    const { undoToken } = await bulk({ muted: true })
    await database.db.pool.query(
      `UPDATE bulk_undos SET undo = jsonb_set(undo, '{0,change,mutedUntil}', '"2020-01-01T00:00:00Z"') WHERE account_id = $1`,
      [api.accountId],
    )
    expect((await undo(undoToken)).body).toMatchObject({ changed: ids, refused: [] })
    expect((await read()).map(({ muted }) => muted)).toEqual([false, false])
  })

  test('is of no use to another account, to who may only read, or after ten minutes', async () => {
    const { undoToken } = await bulk({ muted: true })
    expect((await undo(undoToken, await givenApi(database.db))).status).toBe(404)
    const asReader = { body: { token: undoToken }, key: api.keys.read }
    expect((await api.call('POST', '/v1/checks/bulk/undo', asReader)).status).toBe(403)
    const { rows } = await database.db.pool.query<{ minutes: number }>(
      'SELECT extract(epoch FROM expires_at - now())::float8 / 60 AS minutes FROM bulk_undos WHERE account_id = $1',
      [api.accountId],
    )
    expect(rows[0]?.minutes).toBeCloseTo(10, 0)
    await database.db.pool.query('UPDATE bulk_undos SET expires_at = now() WHERE account_id = $1', [api.accountId])
    expect((await undo(undoToken)).status).toBe(404)
    await deleteExpiredSignIns(database.db, new Date(Date.now() + 1000))
    const left = await database.db.pool.query('SELECT 1 FROM bulk_undos WHERE account_id = $1', [api.accountId])
    expect(left.rows).toEqual([])
  })

  test('is stored as a hash, and is not there when nothing was changed', async () => {
    const { undoToken } = await bulk({ muted: true })
    const { rows } = await database.db.pool.query('SELECT * FROM bulk_undos WHERE account_id = $1', [api.accountId])
    expect(JSON.stringify(rows)).not.toContain(undoToken)
    expect((await bulk({ muted: true })).undoToken).toBeNull()
  })
})
