import { randomUUID } from 'node:crypto'
import type { BulkOutcome, BulkUndoOutcome } from '@vedette/wire'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { givenCopies } from '../../../test-support/checks.ts'
import { useDatabase } from '../../../test-support/database.ts'
import { overviewRowOf } from '../../../test-support/overview.ts'
import type { ChangeOfCheck } from '../api-deps.ts'

const database = useDatabase()
let api: TestApi
let announced: (readonly ChangeOfCheck[])[]
let ids: [string, string, string]

const given = async (n: number) => {
  const sent = { name: 'Shop', tags: ['eu'], request: { url: 'https://shop.example' } }
  const made: string[] = []
  for (let nr = 0; nr < n; nr++) {
    made.push(String((await api.call('POST', '/v1/checks/api', { body: sent })).body['id']))
  }
  return made.toSorted()
}

beforeEach(async () => {
  announced = []
  api = await givenApi(database.db, { hooks: { manyChanged: (_, changes) => void announced.push(changes) } })
  ids = (await given(3)) as typeof ids
})

const bulk = async (change: object, of: readonly string[] = ids) => {
  const answer = await api.call('POST', '/v1/checks/bulk', { body: { ids: of, change } })
  expect([answer.status, answer.text]).toEqual([200, answer.text])
  return answer.body as BulkOutcome
}
const takeBack = async ({ undoToken }: BulkOutcome) => {
  const answer = await api.call('POST', '/v1/checks/bulk/undo', { body: { token: undoToken } })
  expect([answer.status, answer.text]).toEqual([200, answer.text])
  return answer.body as BulkUndoOutcome
}
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const mutes = () =>
  Promise.all(
    ids.map(async (id) => {
      const row = await overviewRowOf(api, id, Date.now())
      return [row?.muted, row?.mutedUntil]
    }),
  )
const read = async (id: string) => (await api.call('GET', `/v1/checks/${id}`)).body
const actions = async (id: string) =>
  (
    await database.db.pool.query<{ action: string }>(
      'SELECT action FROM audit_log WHERE resource_id = $1 ORDER BY id',
      [id],
    )
  ).rows.map(({ action }) => action)

describe('what takes a change of many checks back', () => {
  test.each([
    ['an unmuting', () => ({ muted: false })],
    ['a muting for good', () => ({ muted: true })],
    ['a muting for an hour', () => ({ mutedUntil: inHours(1) })],
  ])('after %s gives each check the mute that it had, and its end', async (_, change) => {
    const until = inHours(5)
    await bulk({ muted: true }, [ids[0]])
    await bulk({ mutedUntil: until }, [ids[1]])
    const before = await mutes()
    expect(before).toEqual([
      [true, null],
      [true, until],
      [false, null],
    ])
    const outcome = await bulk(change())
    expect(await mutes()).not.toEqual(before)
    await takeBack(outcome)
    expect(await mutes()).toEqual(before)
  })

  test('unmutes what was muted for a while that is over', async () => {
    await bulk({ mutedUntil: inHours(1) })
    await database.db.pool.query(
      `UPDATE checks SET muted_until = now() - interval '1 second',
         effective = effective || jsonb_build_object('mutedUntil', now() - interval '1 second') WHERE id = ANY($1)`,
      [ids],
    )
    await takeBack(await bulk({ muted: true }))
    expect(await mutes()).toEqual(ids.map(() => [false, null]))
  })

  test('leaves tags, channels and pauses that were there before', async () => {
    const channel = await api.call('POST', '/v1/alert-channels', {
      body: { type: 'EMAIL', config: { address: 'a@b.example' } },
    })
    const id = Number(channel.body['id'])
    await bulk({ addTags: ['night'], addChannels: [id], activated: false }, [ids[0]])
    const before = await Promise.all(ids.map(read))
    const outcome = await bulk({ addTags: ['night', 'day'], removeTags: ['eu'], addChannels: [id], activated: false })
    announced = []
    expect((await takeBack(outcome)).changed).toEqual(ids)
    expect(announced.map((changes) => changes.map(({ checkId }) => checkId))).toEqual([ids])
    const after = await Promise.all(ids.map(read))
    const kept = ({ tags, alertChannelSubscriptions, activated }: Record<string, unknown>) => ({
      tags: (tags as string[]).toSorted(),
      alertChannelSubscriptions,
      activated,
    })
    expect(after.map(kept)).toEqual(before.map(kept))
  })
})

describe('checks that are so already', () => {
  const versions = async () =>
    (
      await database.db.pool.query('SELECT version, updated_at, revision FROM checks WHERE id = ANY($1) ORDER BY id', [
        ids,
      ])
    ).rows

  test('are not written', async () => {
    const until = inHours(1)
    await bulk({ mutedUntil: until }, [ids[0]])
    const before = await versions()
    expect(await bulk({ muted: false, addTags: ['eu'], activated: true }, [ids[1], ids[2]])).toEqual({
      changed: [],
      unchanged: [ids[1], ids[2]],
      refused: [],
      undoToken: null,
    })
    expect((await bulk({ mutedUntil: until.replace('Z', '+00:00') }, [ids[0]])).unchanged).toEqual([ids[0]])
    expect(await versions()).toEqual(before)
  })

  test('are not those whose mute gets another end: that is audited and announced', async () => {
    await bulk({ mutedUntil: inHours(1) })
    announced = []
    expect((await bulk({ muted: true })).changed).toEqual(ids)
    expect(await actions(ids[0])).toEqual(['create', 'update', 'update'])
    expect(announced).toEqual([ids.map((checkId) => ({ checkId, change: 'updated', runNow: false }))])
    expect((await bulk({ muted: true })).unchanged).toEqual(ids)
  })
})

describe('`restore`', () => {
  test('brings back what was deleted, audited and announced as one by one, and names what cannot come back', async () => {
    const [taken = ''] = await given(1)
    await bulk({ delete: true }, [...ids, taken])
    const [other = ''] = await given(1)
    await database.db.pool.query('UPDATE checks SET event_token = $2 WHERE id = ANY($1)', [
      [taken, other],
      randomUUID(),
    ])
    announced = []
    const gone = randomUUID()
    const outcome = await bulk({ restore: true }, [...ids, taken, gone])
    const { changed, refused } = outcome
    expect(changed).toEqual(ids)
    expect(new Map(refused.map(({ id, message }) => [id, message]))).toEqual(
      new Map([
        [gone, 'No such check.'],
        [taken, 'Another check has its address for events now: change that one first.'],
      ]),
    )
    for (const id of ids) {
      expect((await read(id))['activated']).toBe(true)
      expect(await actions(id)).toEqual(['create', 'delete', 'restore'])
    }
    expect(announced).toEqual([ids.map((checkId) => ({ checkId, change: 'created', runNow: true }))])
    await takeBack(outcome)
    for (const id of ids) expect(await actions(id)).toEqual(['create', 'delete', 'restore', 'delete'])
  })

  test('brings back one of two checks that had the same address for events, and says why not the other', async () => {
    await bulk({ delete: true })
    await database.db.pool.query('UPDATE checks SET event_token = $2 WHERE id = ANY($1)', [ids, randomUUID()])
    const { changed, refused } = await bulk({ restore: true })
    expect(changed).toEqual([ids[0]])
    expect(refused.map(({ id }) => id)).toEqual([ids[1], ids[2]])
  })

  test('needs the same role as the restoring of one', async () => {
    const options = { body: { ids, change: { restore: true } }, key: api.keys.read }
    expect((await api.call('POST', '/v1/checks/bulk', options)).status).toBe(403)
  })
})

describe('a change of many checks that fails on its way', () => {
  afterEach(async () => {
    await database.db.pool.query('DROP TRIGGER IF EXISTS broken_check ON checks')
  })
  const breakAt = (id: string | undefined) =>
    database.db.pool.query(
      `CREATE OR REPLACE FUNCTION broken_check() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'broken disk'; END $$;
       CREATE TRIGGER broken_check BEFORE UPDATE ON checks FOR EACH ROW WHEN (OLD.id = '${id}')
         EXECUTE FUNCTION broken_check()`,
    )

  test('changes nothing, announces nothing and is an error', async () => {
    const all = await givenCopies(database.db, ids[0], 147)
    await breakAt(all[125])
    announced = []
    expect((await api.call('POST', '/v1/checks/bulk', { body: { ids: all, change: { muted: true } } })).status).toBe(
      500,
    )
    const { rows } = await database.db.pool.query('SELECT version FROM checks WHERE id = ANY($1) AND version > 1', [
      all,
    ])
    expect([rows, announced, await actions(ids[0])]).toEqual([[], [], ['create']])
  })

  test('leaves its undo for another try', async () => {
    const outcome = await bulk({ addTags: ['night'] })
    await breakAt(ids[1])
    const undo = () => api.call('POST', '/v1/checks/bulk/undo', { body: { token: outcome.undoToken } })
    expect((await undo()).status).toBe(500)
    await database.db.pool.query('DROP TRIGGER broken_check ON checks')
    expect((await undo()).body).toEqual({ changed: ids, unchanged: [], refused: [] })
  })

  test(
    'keeps the thousands before it, says which may be changed, and can be taken back',
    { timeout: 60_000 },
    async () => {
      const all = await givenCopies(database.db, ids[0], 998)
      expect(all).toHaveLength(1001)
      await breakAt(all.at(-1))
      announced = []
      const answer = await api.call('POST', '/v1/checks/bulk', { body: { all: true, change: { addTags: ['night'] } } })
      const outcome = answer.body as BulkOutcome
      expect(outcome.changed).toEqual(all.slice(0, 1000))
      expect(outcome.refused.map(({ id }) => id)).toEqual(all.slice(1000))
      expect(outcome.refused[0]?.message).toMatch(/^Not known whether it was changed: the server failed; its log names/)
      expect(answer.text).not.toContain('broken disk')
      expect(announced.map(({ length }) => length)).toEqual([1000])
      expect(await takeBack(outcome)).toEqual({ changed: all.slice(0, 1000), unchanged: [], refused: [] })
    },
  )
})
