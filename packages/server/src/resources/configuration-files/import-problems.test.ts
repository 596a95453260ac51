import { describe, expect, test } from 'vitest'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { useDatabase } from '../../../test-support/database.ts'

const database = useDatabase()
type Json = Record<string, unknown>

const send = (api: TestApi, body: unknown, query = '', key = api.keys.admin) =>
  api.call('POST', `/v1/import${query}`, { body, key })
const exportOf = async (api: TestApi): Promise<Json> => (await api.call('GET', '/v1/export')).body
const linesOf = ({ body }: { body: Json }) => String(body['message']).split('\n')
const url = (name: string, more: Json = {}): Json => ({
  name,
  type: 'URL',
  request: { url: 'https://a.example/' },
  ...more,
})

describe('an import that is refused', () => {
  test('says everything that is wrong, by kind, name and field, and changes nothing', async () => {
    const api = await givenApi(database.db)
    const refused = await send(api, {
      variables: [
        { key: 'GOOD', value: 'a' },
        { key: '1BAD', value: 'b' },
      ],
      checkGroups: [{ name: 'Shop', concurrency: 0 }],
      alertChannels: [{ type: 'EMAIL', config: { address: 'nobody' } }],
      checks: [
        url('Good'),
        url('Odd', { frequency: 3, nope: true }),
        url('Twice'),
        url('Twice'),
        url('Of a refused group', { group: 'Shop' }),
        url('Alone', { group: 'Nowhere', alertChannels: ['x'], privateLocations: ['moon'] }),
        url('Old words', { groupId: 3 }),
        url('No scripts', { setupSnippet: 'a' }),
        { name: 'No type' },
        { type: 'URL' },
      ],
    })
    expect(refused.status).toBe(400)
    const lines = linesOf(refused)
    for (const line of [
      /^variable "1BAD": "key" must start with a letter/,
      /^check group "Shop": "concurrency" must be at least 1, got 0$/,
      /^alert channel "nobody": "config.address" must be an e-mail address/,
      /^check "Odd": "frequency" must be one of/,
      /^check "Odd": "nope" is not a known field$/,
      /^check "Twice": "name" is the name of another one in the files$/,
      /^check "Alone": "group" names no check group that there will be, got "Nowhere"$/,
      /^check "Alone": "alertChannels.0" names no alert channel that there will be, got "x"$/,
      /^check "Old words": "groupId" is "group" in files$/,
      /^check "No scripts": "setupSnippet" is not a known field$/,
      /^check "No type": "type" must be one of /,
      /^checks.9: "name" is required$/,
    ])
      expect(lines, String(line)).toContainEqual(expect.stringMatching(line))
    expect(lines.filter((line) => line.includes('Of a refused group'))).toEqual([])
    expect(refused.body['validation']).toMatchObject({
      keys: expect.arrayContaining(['variables.1.key', 'checkGroups.0.concurrency', 'checks.1.nope']),
    })
    expect(Object.keys(await exportOf(api))).toEqual(['account'])
    expect(api.changes).toEqual([])
  })

  test('has a key for each line of its message, in the same order', async () => {
    const api = await givenApi(database.db)
    const long = 'long '.repeat(60)
    const refused = await send(api, {
      checks: [url('Two\nlines', { nope: true }), url(long), url(long)],
      variables: [{ key: 'A', value: { $env: 'not a name', more: 1 } }],
    })
    expect(refused.body['validation']).toEqual({
      source: 'payload',
      keys: ['variables.0.value', 'checks.0.nope', 'checks.1.name', 'checks.2.name', 'checks.2.name'],
    })
    expect(linesOf(refused)).toEqual([
      expect.stringMatching(/^variable "A": "value" must be/),
      'check "Two lines": "nope" is not a known field',
      expect.stringMatching(/"name" must be at most 255 characters/),
      expect.stringMatching(/"name" is the name of another one in the files$/),
      expect.stringMatching(/"name" must be at most 255 characters/),
    ])
  })

  test('is undone whole, also where the last of it fails', async () => {
    const api = await givenApi(database.db)
    await send(api, { privateLocations: [{ name: 'Office', slugName: 'office' }] })
    await api.call('POST', '/v1/checks/url', {
      body: { name: 'Here', privateLocations: ['office'], request: { url: 'https://a.example/' } },
    })
    const body = { variables: [{ key: 'NEW', value: 'a' }], privateLocations: [] }
    const refused = await send(api, body, '?delete=true')
    expect(refused.status).toBe(409)
    expect(linesOf(refused)).toEqual([expect.stringContaining('private location "office": It is in use: check "Here"')])
    expect((await exportOf(api))['variables']).toBeUndefined()
  })

  test('changes no type of a check', async () => {
    const api = await givenApi(database.db)
    await send(api, { checks: [url('Front')] })
    const refused = await send(api, {
      checks: [{ name: 'Front', type: 'API', request: { url: 'https://a.example/' } }],
    })
    expect(linesOf(refused)).toEqual([expect.stringContaining('check "Front": "type" cannot be changed')])
  })

  test('needs the role write, and admin where the settings of the account change', async () => {
    const api = await givenApi(database.db)
    const account = { defaultLocations: ['us-east-1'] }
    expect((await send(api, { checks: [] }, '?dryRun=true', api.keys.run)).status).toBe(403)
    expect((await send(api, { account }, '', api.keys.write)).status).toBe(403)
    expect((await send(api, { account })).status).toBe(200)
    expect((await send(api, { account }, '', api.keys.write)).status).toBe(200)
  })

  test('leaves the names of the other account alone', async () => {
    const [api, other] = [await givenApi(database.db), await givenApi(database.db)]
    await send(other, { snippets: [{ name: 'theirs', script: '1' }], checkGroups: [{ name: 'Theirs' }] })
    const refused = await send(api, { checks: [url('Mine', { group: 'Theirs' })] })
    expect(linesOf(refused)).toEqual([expect.stringContaining('"group" names no check group')])
    await send(api, { checkGroups: [], snippets: [] }, '?delete=true')
    expect(Object.keys(await exportOf(other))).toContain('checkGroups')
  })
})

describe('secrets of an import', () => {
  const variable = (name: string) => ({ variables: [{ key: 'TOKEN', secret: true, value: { $env: name } }] })
  const valueOf = async (api: TestApi) => {
    const { rows } = await database.db.pool.query<{ value: string }>(
      'SELECT value FROM variables WHERE account_id = $1',
      [api.accountId],
    )
    return rows.map(({ value }) =>
      api.deps.vault.open(value, { account: api.accountId, table: 'variables', row: 'TOKEN', field: 'value' }),
    )
  }

  test('come apart from the document, stay without a value, and a new value is a change without it', async () => {
    const api = await givenApi(database.db)
    expect(linesOf(await send(api, variable('SHOP')))).toEqual([
      'variable "TOKEN": "value" names SHOP, for which no value was sent and none is stored',
    ])
    expect((await send(api, { ...variable('SHOP'), secrets: { SHOP: 'first-in-clear' } })).status).toBe(200)
    expect(await valueOf(api)).toEqual(['first-in-clear'])
    const kept = await send(api, variable('OTHER'))
    expect([kept.status, (kept.body['plan'] as Json[])[0]?.['action']]).toEqual([200, 'unchanged'])
    const changed = await send(api, { ...variable('SHOP'), secrets: { SHOP: 'second-in-clear' } })
    expect((changed.body['plan'] as Json[])[0]).toMatchObject({
      action: 'change',
      changes: [{ path: 'value', before: '******', after: '******' }],
    })
    expect(await valueOf(api)).toEqual(['second-in-clear'])
    expect(changed.text).not.toContain('in-clear')
  })

  test('may not stand in the files, nor may a reference where no secret is', async () => {
    const api = await givenApi(database.db)
    const refused = await send(api, {
      variables: [
        { key: 'A', secret: true, value: 'quite-in-clear' },
        { key: 'B', value: { $env: 'B' } },
        { key: 'C', secret: true, value: { $env: 'not a name' } },
      ],
      privateLocations: [{ name: 'O', slugName: 'o', proxyUrl: 'http://joe:quite-in-clear@proxy.example:1' }],
      alertChannels: [
        {
          type: 'WEBHOOK',
          config: {
            name: 'P',
            url: 'https://a.example',
            headers: [{ key: 'x', value: 'quite-in-clear', locked: true }],
          },
        },
      ],
      checks: [
        {
          name: 'X',
          type: 'API',
          request: { url: 'https://a.example', basicAuth: { username: 'a', password: 'quite-in-clear' } },
        },
      ],
      secrets: { B: 'b' },
    })
    expect(linesOf(refused)).toEqual([
      'variable "A": "value" is a secret: write { $env: NAME } and send its value apart',
      'variable "B": "value" is no secret: write the value itself, or use a variable',
      expect.stringContaining('variable "C": "value" must be { $env: NAME }'),
      'private location "o": "proxyUrl" is a secret: write { $env: NAME } and send its value apart',
      'alert channel "P": "config.headers.0.value" is a secret: write { $env: NAME } and send its value apart',
      'check "X": "request.basicAuth.password" is a secret: write { $env: NAME } and send its value apart',
    ])
    expect(refused.text).not.toContain('quite-in-clear')
  })

  test('of a list stay with the key of their item when the list is reordered', async () => {
    const api = await givenApi(database.db)
    const hidden = (key: string) => ({ key, secret: true, value: { $env: key } })
    const check = (...keys: string[]) => ({
      checks: [
        { name: 'X', type: 'API', request: { url: 'https://a.example' }, environmentVariables: keys.map(hidden) },
      ],
    })
    const secrets = { A: 'a-in-clear', B: 'b-in-clear' }
    expect((await send(api, { ...check('A', 'B'), secrets })).status).toBe(200)
    expect((await send(api, check('B', 'A'))).status).toBe(200)
    const again = await send(api, { ...check('B', 'A'), secrets })
    expect((again.body['plan'] as Json[])[0]).toMatchObject({ action: 'unchanged' })
    expect(linesOf(await send(api, check('B', 'A', 'C')))).toEqual([
      'check "X": "environmentVariables.2.value" names C, for which no value was sent and none is stored',
    ])
  })
})

describe('an import beside others', () => {
  test('of the same files makes each resource once', async () => {
    const api = await givenApi(database.db)
    const body = {
      checkGroups: [{ name: 'Shop' }],
      checks: ['a', 'b', 'c'].map((name) => url(name, { group: 'Shop' })),
    }
    const answers = await Promise.all([send(api, body), send(api, body), send(api, body)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const made = answers.flatMap((answer) => answer.body['plan'] as Json[]).filter(({ action }) => action === 'create')
    expect(made).toHaveLength(4)
    expect((await exportOf(api))['checks']).toHaveLength(3)
  })

  test('changes only the fields that differ, and so leaves what somebody else wrote', async () => {
    const api = await givenApi(database.db)
    await send(api, { checks: [url('Front', { frequency: 5 })] })
    const [check] = (await api.call('GET', '/v1/checks')).list
    const path = `/v1/checks/url/${String(check?.['id'])}`
    const [, changed] = await Promise.all([
      api.call('POST', `/v1/checks/${String(check?.['id'])}/run`),
      send(api, { checks: [url('Front', { frequency: 60 })] }),
      api.call('PUT', path, { body: { frequency: 30 } }),
    ])
    expect(changed.status, changed.text).toBe(200)
    const final = await send(api, { checks: [url('Front', { frequency: 60 })] })
    expect(final.status).toBe(200)
    expect((await exportOf(api))['checks']).toEqual([url('Front', { frequency: 60 })])
  })

  test('subscribes new checks to the channels that the files say, and to no others', async () => {
    const api = await givenApi(database.db)
    const alertChannels = [
      { type: 'EMAIL', config: { address: 'all@example.com' }, autoSubscribe: true },
      { type: 'EMAIL', config: { address: 'one@example.com' } },
    ]
    const checks = [url('None'), url('One', { alertChannels: ['one@example.com'] })]
    const answer = await send(api, { alertChannels, checks })
    expect(answer.status, answer.text).toBe(200)
    expect((await exportOf(api))['checks']).toEqual(checks)
  })
})

describe('an import of more than one may write', () => {
  const variables = (n: number) => Array.from({ length: n }, (_, nr) => ({ key: `KEY_${nr}`, value: 'x' }))

  test('changes nothing and says how many there would be, and goes in parts', async () => {
    const api = await givenApi(database.db)
    const refused = await send(api, { variables: variables(501) })
    expect([refused.status, refused.body['message']]).toEqual([
      400,
      'The import would make, change and delete 501 resources; one import may write 500. Send the files in parts: what is there as it should be is not counted.',
    ])
    expect((await exportOf(api))['variables']).toBeUndefined()
    expect((await send(api, { variables: variables(1) })).status).toBe(200)
    expect((await send(api, { variables: variables(501) })).status).toBe(200)
    expect((await send(api, { variables: [] }, '?delete=true')).body['message']).toContain('delete 501 resources')
  })
})
