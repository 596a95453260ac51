import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { useDatabase } from '../../../test-support/database.ts'

const database = useDatabase()
let api: TestApi
let id: string
let channel: number

const body = { name: 'Shop', tags: ['eu'], request: { url: 'https://shop.example', basicAuth: null } }

beforeAll(async () => {
  api = await givenApi(database.db)
  const made = await api.call('POST', '/v1/alert-channels', {
    body: { type: 'EMAIL', config: { address: 'a@example.org' } },
  })
  channel = Number(made.body['id'])
})
beforeEach(async () => {
  id = String((await api.call('POST', '/v1/checks/api', { body })).body['id'])
  api.changes.length = 0
})

const restore = (which = id, by = api) => by.call('POST', `/v1/checks/${which}/restore`)
const remove = () => api.call('DELETE', `/v1/checks/${id}`)

describe('a check that was deleted', () => {
  test('comes back as it was, with its subscriptions, and runs at once', async () => {
    const before = await api.call('GET', `/v1/checks/${id}`)
    expect(before.body['alertChannelSubscriptions']).toEqual([{ alertChannelId: channel, activated: true }])
    await remove()
    expect((await api.call('GET', `/v1/checks/${id}`)).status).toBe(404)
    const answer = await restore()
    const { updated_at: _, ...same } = before.body
    expect(answer).toMatchObject({ status: 200, body: same })
    expect((await api.call('GET', `/v1/checks/${id}`)).body).toEqual(answer.body)
    expect(api.changes).toEqual([
      { checkId: id, change: 'deleted', runNow: false },
      { checkId: id, change: 'created', runNow: true },
    ])
  })

  test('comes back paused when it was paused', async () => {
    await api.call('PUT', `/v1/checks/api/${id}`, { body: { activated: false } })
    await remove()
    expect(await restore()).toMatchObject({ status: 200, body: { activated: false } })
    expect(api.changes.at(-1)).toEqual({ checkId: id, change: 'created', runNow: false })
  })

  test('runs and alerts by the settings that its account has now', async () => {
    const own = await givenApi(database.db)
    const create = async () => String((await own.call('POST', '/v1/checks/api', { body })).body['id'])
    const deleted = await create()
    await own.call('DELETE', `/v1/checks/${deleted}`)
    const settings = {
      alertSettings: { runBasedEscalation: { failedRunThreshold: 5 } },
      defaultLocations: ['af-south-1'],
    }
    expect((await own.call('PATCH', '/v1/accounts/me', { body: settings })).status).toBe(200)
    expect((await restore(deleted, own)).status).toBe(200)
    const inForce = await effectiveOf(deleted)
    expect(inForce).toMatchObject({ locations: ['af-south-1'], alertSettings: settings.alertSettings })
    const { frequencyOffset: _, ...ofNew } = await effectiveOf(await create())
    expect(inForce).toMatchObject(ofNew)
  })

  test('comes back muted for as long as it was', async () => {
    const until = new Date(Date.now() + 3_600_000).toISOString()
    expect((await api.call('PUT', `/v1/checks/${id}/mute`, { body: { until } })).status).toBe(200)
    const before = await effectiveOf(id)
    expect(before['mutedUntil']).toBeTypeOf('string')
    await remove()
    expect(await restore()).toMatchObject({ status: 200, body: { muted: true } })
    expect(await effectiveOf(id)).toEqual(before)
  })

  test('is gone after a day, and was never there for another account', async () => {
    await remove()
    expect((await restore(id, await givenApi(database.db))).status).toBe(404)
    await database.db.pool.query(`UPDATE checks SET deleted_at = now() - interval '25 hours' WHERE id = $1`, [id])
    expect((await restore()).status).toBe(404)
  })

  test('is in no list of subscriptions meanwhile, and a channel that is edited leaves its subscription', async () => {
    await remove()
    const read = await api.call('GET', `/v1/alert-channels/${channel}`)
    expect(JSON.stringify(read.body['subscriptions'])).not.toContain(id)
    const { type, config, subscriptions } = read.body
    const change = { type, config, subscriptions: (subscriptions as { checkId: string }[]).map(sent) }
    expect((await api.call('PUT', `/v1/alert-channels/${channel}`, { body: change })).status).toBe(200)
    const answer = await restore()
    expect(answer.body['alertChannelSubscriptions']).toEqual([{ alertChannelId: channel, activated: true }])
  })

  test('is audited', async () => {
    await remove()
    await restore()
    const { rows } = await database.db.pool.query<{ action: string }>(
      'SELECT action FROM audit_log WHERE resource_id = $1 ORDER BY id',
      [id],
    )
    expect(rows.map(({ action }) => action)).toEqual(['create', 'delete', 'restore'])
  })

  test('one that was not deleted, or never was, cannot come back', async () => {
    expect((await restore()).status).toBe(404)
    expect((await restore(randomUUID())).status).toBe(404)
  })
})

async function effectiveOf(check: string): Promise<Record<string, unknown>> {
  const { rows } = await database.db.pool.query<{ effective: Record<string, unknown> }>(
    'SELECT effective FROM checks WHERE id = $1',
    [check],
  )
  return rows[0]?.effective ?? {}
}

const sent = ({ checkId }: { checkId: string }) => ({ checkId, activated: true })
