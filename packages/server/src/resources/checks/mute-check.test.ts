import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { useDatabase } from '../../../test-support/database.ts'
import { overviewRowOf } from '../../../test-support/overview.ts'

const database = useDatabase()
let api: TestApi
let id: string

const request = { url: 'https://shop.example' }
beforeAll(async () => {
  api = await givenApi(database.db)
})
beforeEach(async () => {
  id = String((await api.call('POST', '/v1/checks/api', { body: { name: 'Shop', request } })).body['id'])
  api.changes.length = 0
})

const hour = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * hour).toISOString()
const mute = (until: unknown) => api.call('PUT', `/v1/checks/${id}/mute`, { body: { until } })
const muted = async () => (await api.call('GET', `/v1/checks/${id}`)).body['muted']
const put = (body: object) => api.call('PUT', `/v1/checks/api/${id}`, { body })
/** The row of the overview, at this time. */
const shown = async (nowMs = Date.now()) => {
  const row = await overviewRowOf(api, id, nowMs)
  return [row?.muted, row?.mutedUntil]
}
/** As if it was muted so long ago that it is over. */
const letItEnd = () =>
  database.db.pool.query(
    `UPDATE checks SET muted_until = now() - interval '1 second',
       effective = effective || jsonb_build_object('mutedUntil', now() - interval '1 second') WHERE id = $1`,
    [id],
  )

describe('PUT /v1/checks/{id}/mute', () => {
  test('mutes until a moment, and says so in every way', async () => {
    const until = inHours(1)
    expect(await mute(until)).toMatchObject({ status: 200, body: { muted: true, mutedUntil: until } })
    expect([await muted(), await shown()]).toEqual([true, [true, until]])
    expect(await shown(Date.now() + 2 * hour)).toEqual([false, null])
    expect(api.changes).toEqual([{ checkId: id, change: 'updated', runNow: false }])
  })

  test('mutes for good with null, and takes another end', async () => {
    await mute(inHours(1))
    expect((await mute(null)).body).toEqual({ muted: true, mutedUntil: null })
    expect(await shown()).toEqual([true, null])
    const until = inHours(2)
    await mute(until)
    expect(await shown()).toEqual([true, until])
  })

  test.each([
    ['in the past', () => inHours(-1), 'must be in the future'],
    ['too far ahead', () => inHours(24 * 367), 'must be at most 366 days ahead'],
    ['no moment', () => 'tomorrow', 'must be an ISO 8601 date and time'],
  ])('refuses an end that is %s', async (_, until, message) => {
    const answer = await mute(until())
    expect(answer).toMatchObject({ status: 400, body: { validation: { keys: ['until'] } } })
    expect(answer.body['message']).toContain(message)
    expect(await muted()).toBe(false)
  })

  test('DELETE ends it', async () => {
    await mute(inHours(1))
    expect((await api.call('DELETE', `/v1/checks/${id}/mute`)).status).toBe(204)
    expect([await muted(), await shown()]).toEqual([false, [false, null]])
  })
})

describe('`muted` of the other routes', () => {
  test('mutes for good and ends every mute', async () => {
    await put({ muted: true })
    expect(await shown()).toEqual([true, null])
    await mute(inHours(1))
    await put({ muted: false })
    expect([await muted(), await shown()]).toEqual([false, [false, null]])
  })

  test('that is sent back as it was answered leaves the end as it is', async () => {
    const until = inHours(1)
    await mute(until)
    const { body } = await api.call('GET', `/v1/checks/${id}`)
    expect((await put(body)).status).toBe(200)
    expect(await shown()).toEqual([true, until])
    await put({ name: 'Renamed' })
    expect(await shown()).toEqual([true, until])
  })

  test('is false as soon as the mute is over, also in the list, and a change of something else leaves it so', async () => {
    await mute(inHours(1))
    await letItEnd()
    expect([await muted(), await shown()]).toEqual([false, [false, null]])
    expect((await api.call('GET', '/v1/checks?limit=100')).list.find((check) => check['id'] === id)?.['muted']).toBe(
      false,
    )
    await put({ name: 'Renamed' })
    expect([await muted(), await shown()]).toEqual([false, [false, null]])
    await put({ muted: true })
    expect([await muted(), await shown()]).toEqual([true, [true, null]])
  })

  test('that is sent back after the mute has ended, as it was answered before, does not mute again', async () => {
    await mute(inHours(1))
    const { body } = await api.call('GET', `/v1/checks/${id}`)
    expect(body['muted']).toBe(true)
    await letItEnd()
    for (const name of ['Shop', 'Renamed']) {
      expect(await put({ ...body, name })).toMatchObject({ status: 200, body: { name, muted: false } })
      expect([await muted(), await shown()]).toEqual([false, [false, null]])
    }
    await mute(null)
    expect([await muted(), await shown()]).toEqual([true, [true, null]])
  })

  test('and the end of the mute stay when settings of the account change', async () => {
    const until = inHours(1)
    await mute(until)
    const body = { alertSettings: { reminders: { amount: 3 } } }
    expect((await api.call('PATCH', '/v1/accounts/me', { body })).status).toBe(200)
    expect(await shown()).toEqual([true, until])
  })
})
