import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { anAlert, endNotifications, notificationsOf } from '../../../test-support/alerts.ts'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { useDatabase } from '../../../test-support/database.ts'
import { queueNotifications } from '../../alerting/notifications/queue-notifications.ts'
import type { AlertType } from '@vedette/wire'

const database = useDatabase()
const apis: TestApi[] = []
let api: TestApi
let of: { accountId: string; checkId: string }
let check: { id: string; accountId: string }
let group: number
let channel: number

beforeEach(async () => {
  api = await givenApi(database.db)
  apis.push(api)
  const create = async (path: string, body: object) => (await api.call('POST', path, { body })).body
  const config = { name: 'Ops', url: 'https://ops.example.com/hook', method: 'POST' }
  channel = Number((await create('/v1/alert-channels', { type: 'WEBHOOK', config }))['id'])
  const alertChannelSubscriptions = [{ alertChannelId: channel, activated: true }]
  group = Number(
    (await create('/v2/check-groups', { name: 'Shop', alertSettings: {}, alertChannelSubscriptions }))['id'],
  )
  const body = { name: 'Cart', groupId: group, request: { url: 'https://shop.example' } }
  const id = String((await create('/v1/checks/api?autoAssignAlerts=false', body))['id'])
  check = { id, accountId: api.accountId }
  of = { accountId: api.accountId, checkId: id }
})
afterAll(() => Promise.all(apis.map(({ app }) => app.close())))

const put = (body: object) => api.call('PUT', `/v1/checks/api/${check.id}`, { body })
const alerts = async (...types: Exclude<AlertType, 'NO_ALERT'>[]) => {
  for (const alertType of types)
    await database.db.transaction((client) => queueNotifications(client, [anAlert({ ...of, alertType })]))
}
const accepted = () => endNotifications(database, { check, channel, status: 'SUCCESS' })
const told = async () => (await notificationsOf(database, check)).map(({ type }) => type)

describe('a channel of a group that knows of a trouble', () => {
  const leave: [string, () => Promise<unknown>][] = [
    ['the check leaves the group', () => put({ groupId: null })],
    [
      'the check is taken out with many',
      () => api.call('POST', '/v1/checks/bulk', { body: { ids: [check.id], change: { groupId: null } } }),
    ],
    [
      'the group does not say its alert settings any more',
      () => api.call('PUT', `/v2/check-groups/${group}`, { body: { name: 'Shop', alertSettings: null } }),
    ],
  ]

  it.each(leave)('is told of its end after %s, once, and of no other trouble', async (_how, change) => {
    await alerts('ALERT_FAILURE')
    await accepted()
    await change()
    await alerts('ALERT_FAILURE_REMAIN', 'ALERT_RECOVERY', 'ALERT_FAILURE', 'ALERT_RECOVERY')
    expect(await told()).toEqual(['ALERT_FAILURE', 'ALERT_RECOVERY'])
  })

  it.each([
    ['ALERT_RECOVERY', 'ALERT_UNKNOWN_RECOVERY'],
    ['ALERT_UNKNOWN_RECOVERY', 'ALERT_RECOVERY'],
  ] as const)('is told of the end of each trouble that it knows of: %s, then %s', async (...ends) => {
    await alerts('ALERT_FAILURE', 'ALERT_UNKNOWN')
    await accepted()
    await put({ groupId: null })
    await alerts(...ends, 'ALERT_UNKNOWN', 'ALERT_UNKNOWN_RECOVERY')
    expect(await told()).toEqual(['ALERT_FAILURE', 'ALERT_UNKNOWN', ...ends])
  })

  it('is told once when the check is in the group again, or the channel is its own', async () => {
    await alerts('ALERT_FAILURE')
    await accepted()
    await put({ groupId: null })
    await put({ groupId: group, alertChannelSubscriptions: [{ alertChannelId: channel, activated: true }] })
    await alerts('ALERT_RECOVERY')
    expect(await told()).toEqual(['ALERT_FAILURE', 'ALERT_RECOVERY'])
  })

  it('is told nothing when it was deleted, nor one that knew of no trouble', async () => {
    await put({ groupId: null })
    await alerts('ALERT_FAILURE', 'ALERT_RECOVERY')
    expect(await told()).toEqual([])
    await put({ groupId: group })
    await alerts('ALERT_FAILURE')
    await accepted()
    await put({ groupId: null })
    await api.call('DELETE', `/v1/alert-channels/${channel}`)
    await alerts('ALERT_RECOVERY')
    expect(await told()).toEqual(['ALERT_FAILURE'])
  })
})
