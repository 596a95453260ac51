import { createHmac, randomUUID } from 'node:crypto'
import { createServer as createNetServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { systemClock } from '@vedette/wire'
import { afterEach, describe, expect, it } from 'vitest'
import { TestClock } from '../../../../test-support/clock.ts'
import { anAlert } from '../../../../test-support/alerts.ts'
import { openReceiver, type Receiver } from '../../../../test-support/receiver.ts'
import type { ChannelMessage, SendContext } from '../channel-kind.ts'
import { webhookChannel } from './index.ts'

const open: Receiver[] = []
const receiver = async (...args: Parameters<typeof openReceiver>) => {
  const opened = await openReceiver(...args)
  open.push(opened)
  return opened
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
})

const accountId = randomUUID()
const alert = anAlert({ accountId, checkId: randomUUID() })
const message: ChannelMessage = {
  notificationId: randomUUID(),
  attempt: 2,
  alert,
  location: { slug: 'eu-central-1', name: 'Frankfurt' },
  variables: { TOKEN: 'top secret/+', TEAM: 'shop' },
  baseUrl: 'https://vedette.example',
}
const context: SendContext = {
  egress: { privateTargets: true, deniedTargets: [] },
  clock: systemClock,
  runtime: { now: Date.now, random: () => 0.5, uuid: randomUUID },
  settings: {},
}
const send = (config: object, more: Partial<SendContext> = {}) =>
  webhookChannel.deliver(webhookChannel.complete({ ...config }), message, { ...context, ...more })

describe('a webhook', () => {
  it('sends every variable as JSON when no template is set', async () => {
    const target = await receiver()
    expect(await send({ url: `${target.base}/in` })).toEqual({ accepted: true, status: 200, response: 'ok' })
    const [delivery] = target.deliveries
    expect(delivery).toMatchObject({ method: 'POST', url: '/in' })
    expect(delivery?.headers).toMatchObject({
      'content-type': 'application/json',
      host: `127.0.0.1:${target.port}`,
      'webhook-id': message.notificationId,
      'x-service-delivery-attempt': '2',
    })
    expect(JSON.parse(delivery?.body ?? '')).toMatchObject({
      ALERT_TITLE: 'Check "Shop "front"" has failed',
      ALERT_TYPE: 'ALERT_FAILURE',
      CHECK_NAME: 'Shop "front"',
      CHECK_ERROR_MESSAGE: 'Expected status 200, got 503',
      TAGS: ['team:shop', 'prod'],
      RUN_LOCATION: 'Frankfurt',
      REGION: 'eu-central-1',
      RESPONSE_TIME: 123,
      RESULT_LINK: `https://vedette.example/checks/${alert.checkId}/results/${alert.resultId}`,
      API_CHECK_RESPONSE_STATUS_CODE: 503,
      API_CHECK_RESPONSE_STATUS_TEXT: 'Service Unavailable',
      IS_REMINDER: false,
      REMINDER_SEQUENCE: 0,
    })
    expect(delivery?.body).not.toContain('top secret')
  })

  it('names who acknowledged the trouble, and nobody of one that was not', async () => {
    const target = await receiver()
    const config = webhookChannel.complete({ url: `${target.base}/in`, template: 'by {{ALERT_ACKNOWLEDGED_BY}}' })
    for (const acknowledgedBy of [null, 'Ann'])
      await webhookChannel.deliver(config, { ...message, alert: { ...alert, acknowledgedBy } }, context)
    expect(target.deliveries.map(({ body }) => body)).toEqual(['by ', 'by Ann'])
  })

  it('renders URL, query, headers and body, each with its own encoding', async () => {
    const target = await receiver()
    await send({
      url: `${target.base}/{{CHECK_NAME}}/x`,
      method: 'PUT',
      template: '{"text":"{{CHECK_NAME}}","tags":{{TAGS}},"team":"{{tagValue TAGS "team"}}"}',
      headers: [{ key: 'Authorization', value: 'Bearer {{TOKEN}}' }],
      queryParameters: [{ key: 'name', value: '{{CHECK_NAME}}' }],
    })
    expect(target.deliveries).toMatchObject([
      {
        method: 'PUT',
        url: '/Shop%20%22front%22/x?name=Shop+%22front%22',
        headers: { authorization: 'Bearer top secret/+', 'content-type': 'application/json' },
        body: '{"text":"Shop \\"front\\"","tags":["team:shop","prod"],"team":"shop"}',
      },
    ])
  })

  it.each([
    ['application/x-www-form-urlencoded', 'text={{CHECK_NAME}}', 'text=Shop%20%22front%22'],
    ['text/html', '<b>{{CHECK_NAME}}</b>', '<b>Shop &quot;front&quot;</b>'],
    ['text/plain', '{{CHECK_NAME}}', 'Shop "front"'],
  ])('encodes a body of %s', async (type, template, body) => {
    const target = await receiver()
    await send({ url: target.base, template, headers: [{ key: 'Content-Type', value: type }] })
    expect(target.deliveries).toMatchObject([{ body, headers: { 'content-type': type } }])
  })

  it('sends no body with GET', async () => {
    const target = await receiver()
    await send({ url: target.base, method: 'GET', template: 'x' })
    expect(target.deliveries[0]?.body).toBe('')
    expect(target.deliveries[0]?.headers['content-type']).toBeUndefined()
  })

  it('signs the raw body, and id and time with it', async () => {
    const target = await receiver()
    const clock = new TestClock(1_767_000_000_123)
    const config = { url: target.base, template: '{"n":"ü{{CHECK_NAME}}"}', webhookSecret: '{{TOKEN}}' }
    await send(config, { clock })
    const [{ headers, body }] = target.deliveries as [Receiver['deliveries'][0]]
    expect(headers['x-service-signature']).toBe(createHmac('sha256', 'top secret/+').update(body).digest('hex'))
    expect(headers['x-service-timestamp']).toBe('1767000000123')
    expect(headers['webhook-timestamp']).toBe('1767000000')
    const signed = `${message.notificationId}.1767000000.${body}`
    expect(headers['webhook-signature']).toBe(
      `v1,${createHmac('sha256', 'top secret/+').update(signed).digest('base64')}`,
    )
  })

  it('reads a whsec_ secret as base64, as Standard Webhooks has it', async () => {
    const target = await receiver()
    const key = Buffer.from('raw key bytes')
    await send({ url: target.base, webhookSecret: `whsec_${key.toString('base64')}` })
    const [{ headers, body }] = target.deliveries as [Receiver['deliveries'][0]]
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
  })

  it('lets no header of the user stand for a signature', async () => {
    const target = await receiver()
    await send({ url: target.base, webhookSecret: 's', headers: [{ key: 'X-Service-Signature', value: 'forged' }] })
    expect(target.deliveries[0]?.headers['x-service-signature']).toMatch(/^[0-9a-f]{64}$/)
  })

  it.each([
    [500, true, undefined],
    [404, true, undefined],
    [301, false, undefined],
    [429, true, { rateLimited: { retryAfterMs: 90_000 } }],
  ])('is not accepted with a %i', async (status, retryable, more) => {
    const other = await receiver()
    const target = await receiver((response) => {
      response.writeHead(status, { 'retry-after': '90', location: other.base }).end('no')
    })
    expect(await send({ url: target.base })).toMatchObject({ accepted: false, retryable, status, ...more })
    expect(other.deliveries).toEqual([])
  })

  it('never reaches what belongs to Vedette or is forbidden, and says so', async () => {
    const own = await receiver()
    const egress = { privateTargets: true, deniedTargets: [{ address: '127.0.0.1', port: own.port }] }
    for (const url of [own.base, `http://localhost:${own.port}`, `http://[::ffff:127.0.0.1]:${own.port}`]) {
      const outcome = await send({ url }, { egress })
      expect(outcome).toMatchObject({ accepted: false, retryable: false })
      expect(outcome.response).toContain('it belongs to Vedette itself')
    }
    expect(own.deliveries).toEqual([])
    const hidden = { egress: { privateTargets: false, deniedTargets: [] } }
    expect(await send({ url: own.base }, hidden)).toMatchObject({ accepted: false, retryable: false })
    expect(own.deliveries).toEqual([])
  })

  it('is tried again when nobody listens', async () => {
    const gone = await receiver()
    await gone.close()
    const outcome = await send({ url: gone.base })
    expect(outcome).toMatchObject({ accepted: false, retryable: true })
    expect(outcome.response).toMatch(/^TCP: .* refused the connection: nothing listens/)
  })

  it('gives up on a receiver that never answers, after ten seconds', async () => {
    const silent = createNetServer((socket) => {
      socket.on('error', () => undefined).resume()
      void clock.advance(10_000)
    })
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const clock = new TestClock()
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
    expect(await send({ url }, { clock })).toEqual({
      accepted: false,
      retryable: true,
      response: 'No complete answer within 10 s.',
    })
    await new Promise((resolve) => silent.close(resolve))
  })

  it('reads no more of an endless answer than it needs', async () => {
    const target = await receiver((response) => {
      const flood = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      }
      response.on('drain', flood)
      flood()
    })
    const outcome = await send({ url: target.base })
    expect(outcome.accepted).toBe(true)
    expect(outcome.response.length).toBeLessThanOrEqual(16_384)
  })

  it.each([
    [{ url: 'http://127.0.0.1/', headers: [{ key: 'x-a', value: '{{{EVIL}}}' }] }, 'the header "x-a" holds characters'],
    [{ url: '{{EVIL}}' }, 'must be an absolute http or https URL'],
    [{ url: 'http://127.0.0.1/', template: '{{#compare 1 "~" 2}}{{/compare}}' }, 'does not know the operator'],
  ])('is given up when it cannot be rendered: %#', async (config, reason) => {
    const evil = { ...message, variables: { EVIL: 'file:///etc/passwd\r\nx-evil: 1' } }
    const outcome = await webhookChannel.deliver(webhookChannel.complete(config), evil, context)
    expect(outcome).toMatchObject({ accepted: false, retryable: false })
    expect(outcome.response).toContain(reason)
  })
})
