import { describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { useDatabase } from '../../../test-support/database.ts'

const database = useDatabase()
type Json = Record<string, unknown>

const shop = { method: 'GET', url: 'https://shop.example/' }

/** An account with something of every kind, made by the API. */
async function givenShop(): Promise<TestApi> {
  const api = await givenApi(database.db)
  const create = async (url: string, body: Json) => {
    const answer = await api.call('POST', url, { body })
    expect(answer.status, answer.text).toBe(201)
    return answer.body
  }
  await api.call('PATCH', '/v1/accounts/me', {
    body: { alertSettings: { reminders: { amount: 2 } }, defaultLocations: ['eu-west-1', 'us-east-1'] },
  })
  await create('/v1/variables', { key: 'HOST', value: 'shop.example' })
  await create('/v1/variables', { key: 'TOKEN', value: 'tok-in-clear', secret: true })
  const snippet = await create('/v1/snippets', { name: 'sign in', script: "request.headers['x'] = '1'\n" })
  await create('/v1/private-locations', {
    name: 'Office',
    slugName: 'office',
    proxyUrl: 'http://joe:proxy-in-clear@proxy.example:3128',
  })
  const mail = await create('/v1/alert-channels', { type: 'EMAIL', config: { address: 'on-call@example.com' } })
  const hook = await create('/v1/alert-channels', {
    type: 'WEBHOOK',
    config: {
      name: 'Pager',
      url: 'https://pager.example/',
      headers: [{ key: 'authorization', value: 'Bearer hook-in-clear', locked: true }],
      webhookSecret: 'sign-in-clear',
    },
    sendDegraded: true,
  })
  const group = await create('/v2/check-groups?autoAssignAlerts=false', {
    name: 'Shop',
    tags: ['shop'],
    privateLocations: ['office'],
    setupSnippetId: snippet['id'],
    alertChannelSubscriptions: [{ alertChannelId: mail['id'], activated: true }],
    apiCheckDefaults: { basicAuth: { username: 'joe', password: 'group-in-clear' } },
    environmentVariables: [{ key: 'GROUP_SECRET', value: 'env-in-clear', secret: true }],
  })
  await create('/v1/checks/api?autoAssignAlerts=false', {
    name: 'Cart',
    groupId: group['id'],
    locations: ['eu-west-1'],
    frequency: 5,
    setupSnippetId: snippet['id'],
    alertChannelSubscriptions: [
      { alertChannelId: mail['id'], activated: true },
      { alertChannelId: hook['id'], activated: false },
    ],
    request: {
      ...shop,
      headers: [{ key: 'accept', value: '*/*' }],
      basicAuth: { username: 'joe', password: 'check-in-clear' },
      assertions: [{ source: 'STATUS_CODE', comparison: 'EQUALS', target: '200' }],
    },
    environmentVariables: [
      { key: 'PLAIN', value: 'a' },
      { key: 'HIDDEN', value: 'hidden-in-clear', secret: true },
    ],
  })
  await create('/v1/checks/url?autoAssignAlerts=false', {
    name: 'Front page',
    privateLocations: ['office'],
    request: { url: 'https://shop.example/' },
  })
  await create('/v1/checks/heartbeat?autoAssignAlerts=false', {
    name: 'Backup',
    heartbeat: { period: 1, periodUnit: 'days', grace: 1, graceUnit: 'hours' },
  })
  return api
}

/** Values for what `givenShop` keeps secret. */
const secrets = {
  TOKEN: 'tok-in-clear',
  OFFICE_PROXY_URL: 'http://joe:proxy-in-clear@proxy.example:3128',
  PAGER_AUTHORIZATION: 'Bearer hook-in-clear',
  PAGER_WEBHOOK_SECRET: 'sign-in-clear',
  SHOP_API_CHECK_DEFAULTS_BASIC_AUTH_PASSWORD: 'group-in-clear',
  SHOP_GROUP_SECRET: 'env-in-clear',
  CART_REQUEST_BASIC_AUTH_PASSWORD: 'check-in-clear',
  CART_HIDDEN: 'hidden-in-clear',
}

const exportOf = async (api: TestApi): Promise<Json> => {
  const answer = await api.call('GET', '/v1/export')
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}
const send = (api: TestApi, body: unknown, query = '', key = api.keys.admin) =>
  api.call('POST', `/v1/import${query}`, { body, key })

interface Planned {
  kind: string
  name: string
  action: string
  changes: { path: string; before: unknown; after: unknown }[]
}
const planOf = ({ body }: { body: Json }) => body['plan'] as Planned[]
const actionsOf = (answer: { body: Json }) =>
  planOf(answer)
    .filter(({ action }) => action !== 'unchanged')
    .map(({ kind, name, action }) => `${action} ${kind} ${name}`)
const audits = async (api: TestApi): Promise<string[]> => {
  const { rows } = await database.db.pool.query<{ line: string }>(
    'SELECT row_to_json(a)::text AS line FROM audit_log a WHERE account_id = $1',
    [api.accountId],
  )
  return rows.map(({ line }) => line)
}

describe('an export', () => {
  test('names what belongs together, leaves defaults out and shows no secret', async () => {
    const api = await givenShop()
    const { text, body } = await api.call('GET', '/v1/export')
    expect(text).not.toContain('in-clear')
    expect(body['checks']).toEqual([
      {
        name: 'Backup',
        type: 'HEARTBEAT',
        heartbeat: { grace: 1, graceUnit: 'hours', period: 1, periodUnit: 'days' },
      },
      {
        name: 'Cart',
        type: 'API',
        alertChannels: [{ name: 'Pager', activated: false }, 'on-call@example.com'],
        environmentVariables: [
          { key: 'PLAIN', value: 'a' },
          { key: 'HIDDEN', secret: true, value: { $env: 'CART_HIDDEN' } },
        ],
        frequency: 5,
        group: 'Shop',
        locations: ['eu-west-1'],
        request: {
          assertions: [{ comparison: 'EQUALS', source: 'STATUS_CODE', target: '200' }],
          basicAuth: { password: { $env: 'CART_REQUEST_BASIC_AUTH_PASSWORD' }, username: 'joe' },
          headers: [{ key: 'accept', value: '*/*' }],
          url: 'https://shop.example/',
        },
        setupSnippet: 'sign in',
      },
      {
        name: 'Front page',
        type: 'URL',
        privateLocations: ['office'],
        request: { url: 'https://shop.example/' },
      },
    ])
    expect(body['alertChannels']).toEqual([
      {
        type: 'WEBHOOK',
        config: {
          name: 'Pager',
          headers: [{ key: 'authorization', locked: true, value: { $env: 'PAGER_AUTHORIZATION' } }],
          url: 'https://pager.example/',
          webhookSecret: { $env: 'PAGER_WEBHOOK_SECRET' },
        },
        sendDegraded: true,
      },
      { type: 'EMAIL', config: { address: 'on-call@example.com' } },
    ])
  })

  test('can be YAML, which is the same', async () => {
    const api = await givenShop()
    const yaml = await api.call('GET', '/v1/export?format=yaml')
    expect(yaml.headers['content-type']).toContain('application/yaml')
    expect(parse(yaml.text)).toEqual(await exportOf(api))
  })

  test('of two checks with one name is a conflict that names both', async () => {
    const api = await givenApi(database.db)
    const ids: unknown[] = []
    for (const _ of [1, 2])
      ids.push((await api.call('POST', '/v1/checks/api', { body: { name: 'Twin', request: shop } })).body['id'])
    const refused = await api.call('GET', '/v1/export')
    expect(refused.status).toBe(409)
    for (const part of ['"Twin"', ...ids.map(String)]) expect(refused.body['message']).toContain(part)
    expect((await send(api, { variables: [] })).status).toBe(409)
  })
})

describe('an import', () => {
  test('of an export into another account makes the same account', async () => {
    const [from, to] = [await givenShop(), await givenApi(database.db)]
    const document = await exportOf(from)
    const answer = await send(to, { ...document, secrets })
    expect(answer.status, answer.text).toBe(200)
    expect(await exportOf(to)).toEqual(document)
    const again = await send(to, { ...document, secrets })
    expect(actionsOf(again)).toEqual([])
    expect(answer.text + again.text + (await audits(to)).join()).not.toContain('in-clear')
  })

  test('of what is there already writes nothing and starts no run', async () => {
    const api = await givenShop()
    const document = await exportOf(api)
    const before = [await audits(api), api.changes.length]
    for (const body of [document, { ...document, secrets }]) {
      const answer = await send(api, body, '?delete=true')
      expect(answer.status, answer.text).toBe(200)
      expect(answer.body['applied']).toBe(true)
      expect([planOf(answer).length > 8, actionsOf(answer)]).toEqual([true, []])
    }
    expect([await audits(api), api.changes.length]).toEqual(before)
  })

  test('takes YAML', async () => {
    const api = await givenApi(database.db)
    const body = stringify({ checks: [{ name: 'Front', type: 'URL', request: { url: 'https://shop.example/' } }] })
    const headers = { 'content-type': 'application/yaml' }
    const answer = await api.call('POST', '/v1/import', { body, headers })
    expect(answer.status, answer.text).toBe(200)
    expect(actionsOf(answer)).toEqual(['create check Front'])
    const refused = await api.call('POST', '/v1/import', { body: 'checks: [', headers })
    expect(refused).toMatchObject({ status: 400 })
    expect(refused.body['message']).toContain('not valid YAML')
    expect((await api.call('POST', '/v1/checks/url', { body, headers })).status).toBe(415)
  })

  test('as a dry run says what would happen, field by field, and changes nothing', async () => {
    const api = await givenShop()
    const document = await exportOf(api)
    const checks = (document['checks'] as Json[]).filter(({ name }) => name !== 'Backup')
    const cart = checks.find(({ name }) => name === 'Cart') ?? {}
    cart['frequency'] = 60
    delete cart['group']
    checks.push({ name: 'New', type: 'TCP', request: { hostname: 'db.example', port: 5432 } })
    const before = [await exportOf(api), await audits(api), api.changes.length]
    const dry = await send(api, { checks }, '?dryRun=true&delete=true')
    expect(dry.body['applied']).toBe(false)
    expect(actionsOf(dry)).toEqual(['change check Cart', 'create check New', 'delete check Backup'])
    expect(planOf(dry).find(({ name }) => name === 'Cart')?.changes).toEqual([
      { path: 'frequency', before: 5, after: 60 },
      { path: 'group', before: 'Shop', after: null },
    ])
    expect([await exportOf(api), await audits(api), api.changes.length]).toEqual(before)
    const applied = await send(api, { checks }, '?delete=true')
    expect(planOf(applied)).toEqual(planOf(dry))
    expect((await exportOf(api))['checks']).toEqual(
      checks.toSorted((a, b) => (String(a['name']) < String(b['name']) ? -1 : 1)),
    )
    expect(api.changes.slice(before[2] as number)).toEqual([
      expect.objectContaining({ change: 'created', runNow: true }),
      expect.objectContaining({ change: 'updated', runNow: false }),
      expect.objectContaining({ change: 'deleted' }),
    ])
  })

  test('leaves what is not in the files, unless it is to delete it, and then only of sections that are sent', async () => {
    const api = await givenShop()
    const variables = [{ key: 'HOST', value: 'shop.example' }]
    expect(actionsOf(await send(api, { variables }))).toEqual([])
    expect(actionsOf(await send(api, { variables }, '?delete=true'))).toEqual(['delete variable TOKEN'])
    expect((await exportOf(api))['checks']).toHaveLength(3)
    const everything = Object.fromEntries(
      ['variables', 'snippets', 'privateLocations', 'alertChannels', 'checkGroups', 'checks'].map((of) => [of, []]),
    )
    const emptied = await send(api, everything, '?delete=true')
    expect(emptied.status, emptied.text).toBe(200)
    expect(actionsOf(emptied).map((line) => line.split(' ')[1])).toEqual([
      'check',
      'check',
      'check',
      'checkGroup',
      'alertChannel',
      'alertChannel',
      'privateLocation',
      'snippet',
      'variable',
    ])
    expect(Object.keys(await exportOf(api))).toEqual(['account'])
  })

  test('takes another name for another resource', async () => {
    const api = await givenShop()
    const document = await exportOf(api)
    const channels = document['alertChannels'] as Json[]
    const renamed = channels.map((one) =>
      one['type'] === 'EMAIL' ? { ...one, config: { address: 'night@example.com' } } : one,
    )
    const left = await send(api, { alertChannels: renamed }, '?delete=true&dryRun=true')
    expect(actionsOf(left)).toEqual([
      'create alertChannel night@example.com',
      'delete alertChannel on-call@example.com',
    ])
    const all = { ...document, alertChannels: renamed }
    const refused = await send(api, all, '?delete=true')
    expect(refused.status).toBe(400)
    expect(String(refused.body['message']).split('\n')).toEqual([
      'check group "Shop": "alertChannels.0" names no alert channel that there will be, got "on-call@example.com"',
      'check "Cart": "alertChannels.1" names no alert channel that there will be, got "on-call@example.com"',
    ])
  })
})
