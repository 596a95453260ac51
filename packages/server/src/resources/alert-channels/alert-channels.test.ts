import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { settings } from '@vedette/wire/configuration'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registerApi } from '../../api.ts'
import { useDatabase } from '../../../test-support/database.ts'
import { openTestHttp } from '../../../test-support/http.ts'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { testVault } from '../../../test-support/vault.ts'
import { unsealConfig } from '../../alerting/channels/sealed-config.ts'
import { kindOf } from './channel-config.ts'

const database = useDatabase()
const mask = '******'
let api: TestApi

beforeAll(async () => {
  api = await givenApi(database.db)
})
afterAll(() => api.app.close())

const hook = { type: 'WEBHOOK', config: { name: 'Hook', url: 'https://hooks.example/x' } }
const mail = { type: 'EMAIL', config: { address: 'on-call@example.org' } }
const create = async (body: unknown) => (await api.call('POST', '/v1/alert-channels', { body })).body
const givenCheck = async () => {
  const body = { name: 'Shop', request: { url: 'https://shop.example' } }
  return String((await api.call('POST', '/v1/checks/api?autoAssignAlerts=false', { body })).body.id)
}

describe('alert channels', () => {
  it('are created with the defaults of the contract, read, listed and deleted', async () => {
    const created = await api.call('POST', '/v1/alert-channels', { body: mail })
    expect(created.status).toBe(201)
    expect(created.headers.etag).toBe('"1"')
    expect(created.body).toMatchObject({
      type: 'EMAIL',
      config: { address: 'on-call@example.org' },
      subscriptions: [],
      sendRecovery: true,
      sendFailure: true,
      sendDegraded: false,
      sslExpiry: false,
      sslExpiryThreshold: 30,
      autoSubscribe: false,
      updated_at: null,
    })
    const path = `/v1/alert-channels/${String(created.body.id)}`
    expect((await api.call('GET', path)).body).toEqual(created.body)
    const list = await api.call('GET', '/v1/alert-channels?limit=100')
    expect(list.list).toContainEqual(created.body)
    expect(list.headers['content-range']).toMatch(/^0-\d+\/\d+$/)
    expect((await api.call('DELETE', path)).status).toBe(204)
    expect((await api.call('GET', path)).status).toBe(404)
    expect((await api.call('DELETE', path)).status).toBe(404)
    expect((await api.call('GET', '/v1/alert-channels?limit=100')).list).not.toContainEqual(created.body)
  })

  it('fill in the rest of a webhook', async () => {
    expect((await create(hook)).config).toEqual({
      name: 'Hook',
      url: 'https://hooks.example/x',
      method: 'POST',
      template: null,
      headers: [],
      queryParameters: [],
      webhookSecret: null,
      webhookType: null,
    })
  })

  it('never answer a secret, keep it sealed, and keep it when its mask comes back', async () => {
    const config = {
      ...hook.config,
      webhookSecret: 'sign me',
      headers: [
        { key: 'Authorization', value: 'Bearer deep' },
        { key: 'x-team', value: 'hidden', locked: true },
        { key: 'x-plain', value: 'shown' },
      ],
    }
    const created = await create({ ...hook, config })
    const text = JSON.stringify(created)
    for (const secret of ['sign me', 'Bearer deep', 'hidden']) expect(text).not.toContain(secret)
    const id = Number(created.id)
    const open = async () => {
      const { rows } = await database.db.pool.query('SELECT config, secrets FROM alert_channels WHERE id = $1', [id])
      expect(JSON.stringify(rows[0])).not.toMatch(/sign me|deep|hidden/)
      return unsealConfig(testVault, { account: api.accountId, channelId: id }, kindOf('WEBHOOK'), rows[0])
    }
    expect(await open()).toMatchObject({ webhookSecret: 'sign me' })
    const answered = created.config as { headers: unknown[] }
    const reordered = { ...answered, name: 'Renamed', headers: answered.headers.toReversed() }
    const replaced = await api.call('PUT', `/v1/alert-channels/${id}`, { body: { ...created, config: reordered } })
    expect(replaced.status).toBe(200)
    expect(await open()).toMatchObject({
      name: 'Renamed',
      webhookSecret: 'sign me',
      headers: [
        { key: 'x-plain', value: 'shown' },
        { key: 'x-team', value: 'hidden' },
        { key: 'Authorization', value: 'Bearer deep' },
      ],
    })
  })

  it('do not take the mask of a locked value for the value', async () => {
    for (const list of ['headers', 'queryParameters']) {
      const config = (locked: boolean, value: string) => ({
        ...hook.config,
        [list]: [{ key: 'x-team', value, locked }],
      })
      const { id } = await create({ ...hook, config: config(true, 'hidden') })
      const body = { ...hook, config: config(false, mask) }
      const { status, body: error } = await api.call('PUT', `/v1/alert-channels/${String(id)}`, { body })
      expect([status, error.message]).toEqual([
        400,
        `"config.${list}.0.value" is the mask of a secret; send the value itself`,
      ])
    }
  })

  it('are replaced whole, except for their subscriptions', async () => {
    const checkId = await givenCheck()
    const created = await create({ ...mail, sendDegraded: true, subscriptions: [{ checkId, activated: true }] })
    expect(created.subscriptions).toMatchObject([{ checkId, groupId: null, activated: true }])
    const path = `/v1/alert-channels/${String(created.id)}`
    const replaced = await api.call('PUT', path, { body: { type: 'EMAIL', config: { address: 'new@example.org' } } })
    expect(replaced.body).toMatchObject({ sendDegraded: false, config: { address: 'new@example.org' } })
    expect(replaced.body.subscriptions).toEqual(created.subscriptions)
    expect(replaced.body.updated_at).not.toBeNull()
    const emptied = await api.call('PUT', path, { body: { ...mail, subscriptions: [] } })
    expect(emptied.body.subscriptions).toEqual([])
    expect((await api.call('PUT', path, { body: mail, headers: { 'if-match': '"1"' } })).status).toBe(412)
  })

  it('subscribe one check at a time, and switch it off again', async () => {
    const checkId = await givenCheck()
    const { id } = await create(mail)
    const path = `/v1/alert-channels/${String(id)}/subscriptions`
    const on = await api.call('PUT', path, { body: { checkId, activated: true } })
    expect(on.status).toBe(200)
    expect(on.body).toMatchObject({ checkId, groupId: null, activated: true })
    const off = await api.call('PUT', path, { body: { checkId, activated: false } })
    expect(off.body).toEqual({ ...on.body, activated: false })
    const check = await api.call('GET', `/v1/checks/${checkId}`)
    expect(check.body.alertChannelSubscriptions).toEqual([{ alertChannelId: id, activated: false }])
  })

  it('subscribe new checks by themselves when they are told to', async () => {
    const eager = await create({ ...mail, autoSubscribe: true })
    const calm = await create(mail)
    const checkId = await givenCheck()
    const subscribed = async (channel: Record<string, unknown>) =>
      (await api.call('GET', `/v1/alert-channels/${String(channel.id)}`)).body.subscriptions
    expect(await subscribed(eager)).toMatchObject([{ checkId, activated: true }])
    expect(await subscribed(calm)).toEqual([])
    await api.call('DELETE', `/v1/alert-channels/${String(eager.id)}`)
  })

  const unknown = randomUUID()
  it.each([
    [{ ...mail, type: 'SLACK' }, 'type', 'one of EMAIL, WEBHOOK, got "SLACK"'],
    [{ ...mail, type: 'PIGEON' }, 'type', 'one of EMAIL, WEBHOOK, got "PIGEON"'],
    [{ type: 'EMAIL' }, 'config', 'is required'],
    [{ ...mail, config: {} }, 'config.address', 'is required'],
    [{ ...mail, config: { address: 'nobody' } }, 'config.address', 'an e-mail address, got "nobody"'],
    [{ ...mail, config: { ...mail.config, cc: 'x' } }, 'config.cc', 'is not a known field'],
    [{ ...mail, sendFailure: 'yes' }, 'sendFailure', 'must be a boolean, got "yes"'],
    [{ ...mail, sslExpiryThreshold: 31 }, 'sslExpiryThreshold', 'at most 30, got 31'],
    [{ ...mail, colour: 'red' }, 'colour', 'is not a known field'],
    [{ ...hook, config: { url: 'ftp://x' } }, 'config.url', 'http or https'],
    [{ ...hook, config: { url: 'https://me:pw@x.example' } }, 'config.url', 'must not carry a user and password'],
    [{ ...hook, config: { ...hook.config, template: '{{#if X}}' } }, 'config.template', 'is not closed'],
    [{ ...hook, config: { ...hook.config, template: '{{shout X}}' } }, 'config.template', 'unknown helper "shout"'],
    [{ ...hook, config: { ...hook.config, method: 'BREW' } }, 'config.method', 'got "BREW"'],
    [
      { ...hook, config: { ...hook.config, headers: [{ key: 'a b', value: '' }] } },
      'config.headers.0.key',
      'must be a header name',
    ],
    [
      { ...hook, config: { ...hook.config, headers: [{ key: 'Host', value: 'x' }] } },
      'config.headers.0.key',
      'must not be "Host"',
    ],
    [
      { ...hook, config: { ...hook.config, headers: [{ key: 'x-a', value: 'a\r\nx-b: c' }] } },
      'config.headers.0.value',
      'must not hold line breaks',
    ],
    [{ ...hook, config: { ...hook.config, webhookSecret: mask } }, 'config.webhookSecret', 'mask of a secret'],
    [{ ...mail, subscriptions: [{ checkId: unknown, activated: true }] }, 'subscriptions.0.checkId', unknown],
    [{ ...mail, subscriptions: [{ groupId: 7, activated: true }] }, 'subscriptions.0.groupId', 'no check group'],
    [
      { ...mail, subscriptions: [{ checkId: unknown, groupId: 7, activated: true }] },
      'subscriptions.0.groupId',
      'together',
    ],
    [{ ...mail, subscriptions: [{ activated: true }] }, 'subscriptions.0.checkId', 'is required'],
  ])('refuse %j naming field, rule and value', async (body, key, text) => {
    const { status, body: error } = await api.call('POST', '/v1/alert-channels', { body })
    expect(status).toBe(400)
    expect(error).toMatchObject({ validation: { source: 'payload', keys: [key] } })
    expect(error.message).toContain(`"${key}"`)
    expect(error.message).toContain(text)
  })

  it('do not repeat a secret in an error', async () => {
    const config = { ...hook.config, headers: [{ key: 'x-y', value: 'z'.repeat(5001) }], webhookSecret: 12345678 }
    const { text } = await api.call('POST', '/v1/alert-channels', { body: { ...hook, config } })
    expect(text).not.toMatch(/12345678|zzz/)
  })

  it('say what kinds there are and how their forms look', async () => {
    const { list } = await api.call('GET', '/v1/alert-channel-kinds')
    expect(list.map(({ type }) => type)).toEqual(['EMAIL', 'WEBHOOK'])
    for (const { form, defaults, schema } of list) {
      const properties = Object.keys((schema as { properties: object }).properties)
      const fields = (form as { fields: { path: string }[] }[]).flatMap((section) => section.fields)
      expect(properties).toEqual(expect.arrayContaining(fields.map(({ path }) => path)))
      expect(properties.toSorted()).toEqual(Object.keys(defaults as object).toSorted())
    }
  })
})

describe('e-mail without a mail server', () => {
  const kinds = async (smtpUrl?: string) => {
    const egress = () => ({ privateTargets: true, deniedTargets: [] })
    const outgoing = { egress, settings: smtpUrl === undefined ? {} : { smtpUrl } }
    const app = await openTestHttp(database.db, (http) => registerApi(http, { ...api.deps, outgoing }), {
      authenticate: api.deps.authenticate,
    })
    const headers = { authorization: `Bearer ${api.keys.write}` }
    const ask = async (method: 'GET' | 'POST', url: string) => (await app.inject({ method, url, headers })).json()
    const listed = (await ask('GET', '/v1/alert-channel-kinds')) as { missing: string | null }[]
    return { ask, missing: listed.map(({ missing }) => missing), app }
  }

  it('says which setting is missing and where to set it, before and after a channel is made', async () => {
    const { ask, missing, app } = await kinds()
    const { name, example } = settings.smtpUrl
    expect(missing[0]).toContain(`Set ${name} in the environment of the server`)
    expect(missing[0]).toContain(example)
    const { id } = await create(mail)
    expect((await ask('POST', `/v1/alert-channels/${String(id)}/test`)).response).toBe(missing[0]?.slice(0, 256))
    await app.close()
  })

  it('is nothing to tell of once there is one, nor of webhooks', async () => {
    const { missing, app } = await kinds('smtp://mail.example.org')
    expect(missing).toEqual([null, null])
    await app.close()
  })
})

describe('a channel that was deleted', () => {
  const restore = (id: unknown, by = api) => by.call('POST', `/v1/alert-channels/${String(id)}/restore`)

  it('comes back with its secrets and subscriptions', async () => {
    const body = { name: 'Shop', request: { url: 'https://shop.example' } }
    const check = String((await api.call('POST', '/v1/checks/api?autoAssignAlerts=false', { body })).body['id'])
    const subscriptions = [{ checkId: check, activated: true }]
    const before = await create({ ...hook, config: { ...hook.config, webhookSecret: 'hush-hush' }, subscriptions })
    const path = `/v1/alert-channels/${String(before['id'])}`
    const sealed = () => database.db.pool.query('SELECT secrets FROM alert_channels WHERE id = $1', [before['id']])
    const { rows } = await sealed()
    await api.call('DELETE', path)
    // A check that is edited meanwhile leaves its subscription.
    await api.call('PUT', `/v1/checks/api/${check}`, { body: { alertChannelSubscriptions: [] } })
    const { updated_at: _, ...same } = before
    expect(await restore(before['id'])).toMatchObject({ status: 200, body: same })
    expect((await sealed()).rows).toEqual(rows)
  })

  it('is gone after a day, for another account at once', async () => {
    const { id } = await create(hook)
    await api.call('DELETE', `/v1/alert-channels/${String(id)}`)
    expect((await restore(id, await givenApi(database.db))).status).toBe(404)
    await database.db.pool.query(`UPDATE alert_channels SET deleted_at = now() - interval '25 hours' WHERE id = $1`, [
      id,
    ])
    expect((await restore(id)).status).toBe(404)
  })
})

describe('a test message', () => {
  let server: Server
  const bodies: string[] = []
  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = ''
      request.on('data', (part: Buffer) => (body += part.toString()))
      request.on('end', () => {
        bodies.push(body)
        response.writeHead(request.url === '/bad' ? 500 : 202).end(`took ${body.length > 0} hush-hush`)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => server.close())

  it('is sent at once and its outcome answered without secrets', async () => {
    const outgoing = { egress: () => ({ privateTargets: true, deniedTargets: [] }), settings: {} }
    const app = await openTestHttp(database.db, (http) => registerApi(http, { ...api.deps, outgoing }), {
      authenticate: api.deps.authenticate,
    })
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const test = async (config: object, type = 'WEBHOOK') => {
      const { id } = await create({ type, config })
      const headers = { authorization: `Bearer ${api.keys.write}` }
      return (await app.inject({ method: 'POST', url: `/v1/alert-channels/${String(id)}/test`, headers })).json()
    }
    const config = { url: `${base}/good`, webhookSecret: 'hush-hush', template: '{"t":"{{ALERT_TITLE}}"}' }
    expect(await test(config)).toEqual({ accepted: true, status: 202, response: 'took true ******' })
    expect(bodies).toEqual(['{"t":"Check \\"Test message\\" has failed"}'])
    expect(await test({ url: `${base}/bad` })).toMatchObject({ accepted: false, status: 500 })
    const unset = await test({ address: 'a@example.org' }, 'EMAIL')
    expect(unset).toMatchObject({
      accepted: false,
      status: null,
      response: expect.stringContaining('VEDETTE_SMTP_URL'),
    })
    await app.close()
  })

  it('is refused to readers, and where nothing is sent', async () => {
    const { id } = await create(hook)
    const path = `/v1/alert-channels/${String(id)}/test`
    expect((await api.call('POST', path, { key: api.keys.read })).status).toBe(403)
    expect((await api.call('POST', path, { body: {} })).status).toBe(503)
    expect((await api.call('POST', '/v1/alert-channels/2147483647/test')).status).toBe(404)
  })
})
