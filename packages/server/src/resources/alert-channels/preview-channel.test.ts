import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { useDatabase } from '../../../test-support/database.ts'

const database = useDatabase()
let api: TestApi

beforeAll(async () => {
  api = await givenApi(database.db)
  for (const variable of [
    { key: 'TEAM', value: 'shop' },
    { key: 'TOKEN', value: 'deep-secret', secret: true },
    { key: 'HOOK', value: 'https://deep-secret.example/hook', locked: true },
    { key: 'CHECK_NAME', value: 'hidden by the name of the check' },
  ])
    await api.call('POST', '/v1/variables', { body: variable })
})
afterAll(() => api.app.close())

interface Preview {
  parts: { title: string; text: string }[]
  problems: { path: string; message: string }[]
}
const ask = (config: object, more: object = {}) =>
  api.call('POST', '/v1/alert-channels/preview', { body: { type: 'WEBHOOK', config, ...more } })
const preview = async (config: object, more: object = {}): Promise<Preview> => {
  const { status, body, text } = await ask(config, more)
  expect(status, text).toBe(200)
  return body as unknown as Preview
}
const part = ({ parts }: Preview, title: string) => parts.find((each) => each.title === title)?.text
const url = 'https://hooks.example/x'

describe('the preview of a webhook', () => {
  it('is the request of a sample alert, as a delivery would render it', async () => {
    const shown = await preview({
      url: 'https://hooks.example/{{TEAM}}',
      method: 'PUT',
      template: '{"text": "{{CHECK_NAME}}: {{CHECK_ERROR_MESSAGE}}", "tags": {{TAGS}} }',
      headers: [{ key: 'X-Team', value: '{{TEAM}}' }],
      queryParameters: [{ key: 'kind', value: '{{ALERT_TYPE}}' }],
    })
    expect(shown).toEqual({
      parts: [
        {
          title: 'Request',
          text: 'PUT https://hooks.example/shop?kind=ALERT_FAILURE\ncontent-type: application/json\nx-team: shop',
        },
        {
          title: 'Body',
          text: '{"text": "Shop: products: Expected status code to equal 200, got 500.", "tags": ["shop","team:web"] }',
        },
      ],
      problems: [],
    })
  })

  it('has every variable without a template, and tells of the kind of alert that is asked for', async () => {
    const body = async (alertType: string) => JSON.parse(part(await preview({ url }, { alertType }), 'Body') ?? '')
    expect(await body('ALERT_FAILURE')).toMatchObject({ ALERT_TITLE: 'Check "Shop: products" has failed' })
    expect(await body('ALERT_RECOVERY')).toMatchObject({ ALERT_TYPE: 'ALERT_RECOVERY', CHECK_ERROR_MESSAGE: null })
    expect(await body('ALERT_DEGRADED')).toMatchObject({ API_CHECK_RESPONSE_STATUS_CODE: 200 })
    expect(await body('ALERT_SSL')).toMatchObject({ SSL_CHECK_DOMAIN: 'shop.example.org', SSL_DAYS_REMAINING: 14 })
    expect((await ask({ url }, { alertType: 'ALERT_UNKNOWN' })).status).toBe(400)
  })

  it('names unknown variables and the one that was probably meant, in every template', async () => {
    const { problems } = await preview({
      url,
      template: '{{#if CHECK_ERROR_MESAGE}}{{TEEM}}{{/if}}',
      headers: [{ key: 'x-a', value: '{{zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz}}' }],
    })
    const says = (name: string, advice: string) => `uses {{${name}}}, which is no variable and stays empty${advice}`
    expect(problems).toEqual([
      { path: 'config.template', message: says('CHECK_ERROR_MESAGE', '; did you mean {{CHECK_ERROR_MESSAGE}}?') },
      { path: 'config.template', message: says('TEEM', '; did you mean {{TEAM}}?') },
      { path: 'config.headers.0.value', message: says('zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz', '') },
    ])
  })

  it.each([
    ['{"a": {{ALERT_TITLE}}', 'template', 'does not render to JSON: '],
    ['{{#if X}}', 'template', 'is not closed'],
    ['{{shout X}}', 'template', 'unknown helper "shout"'],
    ['{{compare 1 "~" 2}}', 'template', 'cannot be rendered: is wrong on line 1'],
  ])('says what is wrong with the body %s', async (template, field, text) => {
    const { problems } = await preview({ url, template })
    expect(problems.map(({ path }) => path)).toEqual([`config.${field}`])
    expect(problems[0]?.message).toContain(text)
  })

  it('shows the body before there is an address, and beside one that is wrong', async () => {
    const unwritten = await preview({ template: 'x' })
    expect([part(unwritten, 'Request'), part(unwritten, 'Body'), unwritten.problems]).toEqual([
      'POST\ncontent-type: text/plain; charset=utf-8',
      'x',
      [],
    ])
    const wrong = await preview({ url: 'hooks.example', template: 'x' })
    expect(part(wrong, 'Body')).toBe('x')
    expect(wrong.problems).toEqual([{ path: 'config.url', message: 'must be an absolute http or https URL' }])
  })

  it('shows no secret: of the account, of the channel, or of the form', async () => {
    const shown = await preview({
      url: '{{HOOK}}/{{TOKEN}}',
      template: '{"token": {{TOKEN}}, "parts": "{{split TOKEN "-" 0}}"}',
      headers: [
        { key: 'Authorization', value: 'Bearer deep-secret' },
        { key: 'x-locked', value: 'deep-secret', locked: true },
        { key: 'x-stored', value: '******', locked: true },
      ],
      queryParameters: [{ key: 'api-key', value: 'deep-secret' }],
      webhookSecret: 'deep-secret',
    })
    expect(JSON.stringify(shown)).not.toContain('deep')
    expect(shown.problems).toEqual([])
    expect(shown.parts).toEqual([
      {
        title: 'Request',
        text: [
          'POST https://******/******?api-key=******',
          'content-type: application/json',
          'authorization: ******',
          'x-locked: ******',
          'x-stored: ******',
        ].join('\n'),
      },
      { title: 'Body', text: '{"token": "******", "parts": "******"}' },
    ])
  })

  it('sends and stores nothing', async () => {
    const count = async () => (await api.call('GET', '/v1/alert-channels?limit=100')).list.length
    const before = await count()
    await preview({ url: 'http://127.0.0.1:9/never-asked' })
    expect(await count()).toBe(before)
    const { rows } = await database.db.pool.query('SELECT 1 FROM audit_log WHERE account_id = $1 AND resource = $2', [
      api.accountId,
      'alert-channels',
    ])
    expect(rows).toEqual([])
  })

  it('is refused to readers, and for what is no config', async () => {
    const body = { type: 'WEBHOOK', config: {} }
    expect((await api.call('POST', '/v1/alert-channels/preview', { body, key: api.keys.read })).status).toBe(403)
    const refused = await ask({ url, method: 'BREW' })
    expect(refused.body).toMatchObject({ statusCode: 400, validation: { keys: ['config.method'] } })
  })
})

it('an e-mail is shown with subject and text, before there is an address', async () => {
  const shown = await preview({ address: '' }, { type: 'EMAIL', alertType: 'ALERT_RECOVERY' })
  expect(part(shown, 'Subject')).toBe('[RECOVERED] Shop: products')
  expect(part(shown, 'Text')).toContain('Check "Shop: products" has recovered')
})

describe('the variables of templates', () => {
  it('are those that messages are filled with, with their meaning and a sample', async () => {
    const { list } = await api.call('GET', '/v1/alert-template-variables')
    const filled = JSON.parse(part(await preview({ url }), 'Body') ?? '{}') as object
    const ofAlerts = list.filter(({ source }) => source === 'alert')
    expect(ofAlerts.map(({ name }) => name)).toEqual(Object.keys(filled))
    for (const { meaning } of ofAlerts) expect(meaning).toMatch(/^[A-Z].*\.$/)
    expect(list).toContainEqual({
      name: 'CHECK_NAME',
      meaning: 'Name of the check.',
      sample: 'Shop: products',
      source: 'alert',
    })
  })

  it('include those of the account that no alert hides, hidden values masked', async () => {
    const { list } = await api.call('GET', '/v1/alert-template-variables', { key: api.keys.read })
    expect(list.filter(({ source }) => source === 'account').map(({ name, sample }) => [name, sample])).toEqual([
      ['HOOK', 'https://******'],
      ['TEAM', 'shop'],
      ['TOKEN', '******'],
    ])
  })
})
