import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDemoShop, type DemoShop } from '../scripts/demo-shop.ts'
import { betweenResultReads, removeDataDir, startProduct, until, type Product } from './product.ts'
import { startReceiver } from './receiver.ts'

let product: Product
let shop: DemoShop
let receiver: Awaited<ReturnType<typeof startReceiver>>

beforeAll(async () => {
  shop = await startDemoShop({ shop: 0, panel: 0 })
  receiver = await startReceiver()
  product = await startProduct()
})
afterAll(async () => {
  await product.stop()
  await shop.stop()
  await receiver.stop()
  await removeDataDir(product.dataDir)
})

interface Status {
  state: string
  cause: string | null
  hasFailures: boolean
}
interface Result {
  id: string
  resultType: string
  hasFailures: boolean
  sequenceId: string
  attempts: number
}

test('an API check runs on schedule, breaks, pages a webhook once, and recovers', async () => {
  const channel = await product.api<{ id: number }>('POST', '/v1/alert-channels', {
    type: 'WEBHOOK',
    config: { name: 'Receiver', url: receiver.url, webhookSecret: 'a-secret-of-the-receiver' },
  })
  expect(channel.status).toBe(201)
  const check = await product.api<{ id: string }>('POST', '/v1/checks/api', {
    name: 'Products',
    frequency: 0,
    frequencyOffset: 10,
    locations: ['eu-west-1', 'us-east-1'],
    request: {
      url: `${shop.url}/api/products`,
      assertions: [{ source: 'JSON_BODY', property: '$.products.length', comparison: 'GREATER_THAN', target: '0' }],
    },
  })
  expect(check.status).toBe(201)
  const id = check.body.id
  const status = async () => (await product.api<Status>('GET', `/v1/check-statuses/${id}`)).body
  await until('the first result', async () => (await status()).state === 'passing', 15_000)
  expect(receiver.deliveries).toEqual([])

  await shop.set('wrong')
  const failure = await until('the failure alert', async () => receiver.deliveries[0], 30_000)
  expect(failure.body).toMatchObject({ ALERT_TYPE: 'ALERT_FAILURE', CHECK_ID: id, CHECK_NAME: 'Products' })
  const { state, cause } = await status()
  expect(state).toBe('failing')
  expect(cause).toMatch(/0/)
  const { headers, text } = failure
  expect(headers['x-service-signature']).toBe(
    createHmac('sha256', 'a-secret-of-the-receiver').update(text).digest('hex'),
  )
  const standard = createHmac('sha256', 'a-secret-of-the-receiver')
    .update(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${text}`)
    .digest('base64')
  expect(headers['webhook-signature']).toBe(`v1,${standard}`)

  const attempts = await product.api<{ entries: Result[] }>(
    'GET',
    `/v2/check-results/${id}?resultType=ALL&hasFailures=true`,
  )
  const final = attempts.body.entries.find((entry) => entry.resultType === 'FINAL')
  const retried = attempts.body.entries.find((entry) => entry.resultType === 'ATTEMPT')
  expect(final?.attempts).toBe(1)
  expect(retried?.sequenceId).toBe(attempts.body.entries.at(-2)?.sequenceId)

  await shop.set('ok')
  const recovery = await until(
    'the recovery',
    async () => receiver.deliveries.find((each) => each.body['ALERT_TYPE'] === 'ALERT_RECOVERY'),
    30_000,
  )
  expect(recovery.body['CHECK_ID']).toBe(id)
  expect(receiver.deliveries.map((each) => each.body['ALERT_TYPE'])).toEqual(['ALERT_FAILURE', 'ALERT_RECOVERY'])

  // The outcome is stored after the receiver has answered.
  const ledger = await until('the outcomes in the ledger', async () => {
    const { body } = await product.api<Record<string, unknown>[]>('GET', '/v1/alert-notifications')
    return body.every(({ status }) => status !== 'IN_PROGRESS') && body
  })
  expect(ledger).toHaveLength(2)
  for (const row of ledger)
    expect(row).toMatchObject({ status: 'SUCCESS', notificationResult: 'noted', alertChannelId: channel.body.id })
})

test('an echoing target puts no secret into results, ledger or log', async () => {
  const secret = 'hunter2-and-some-more'
  await product.api('POST', '/v1/variables', { key: 'SHOP_TOKEN', value: secret, secret: true })
  const echo = createServer((request, response) => {
    response.setHeader('x-echo', String(request.headers['authorization']))
    response.setHeader('set-cookie', `session=${secret}`)
    response.end(
      JSON.stringify({ url: request.url, headers: request.headers, base64: Buffer.from(secret).toString('base64') }),
    )
  }).listen(0, '127.0.0.1')
  await once(echo, 'listening')
  const { port } = echo.address() as { port: number }
  const check = await product.api<{ id: string }>('POST', '/v1/checks/api', {
    name: 'Echo',
    frequency: 10,
    doubleCheck: false,
    request: {
      url: `http://127.0.0.1:${port}/?token={{SHOP_TOKEN}}`,
      headers: [{ key: 'Authorization', value: 'Bearer {{SHOP_TOKEN}}' }],
      basicAuth: { username: 'user', password: 'basic-password-of-echo' },
      assertions: [{ source: 'TEXT_BODY', property: '', comparison: 'CONTAINS', target: 'never there' }],
    },
  })
  const resultsOfCheck = async () => {
    const answer = await product.api<{ entries: { id: string }[] }>('GET', `/v2/check-results/${check.body.id}`)
    return answer.body.entries.length > 0 && answer.body.entries
  }
  const results = await until('its result', resultsOfCheck, 60_000, betweenResultReads)
  const result = await product.api('GET', `/v1/check-results/${check.body.id}/${results[0]?.id}`)
  const ledger = await product.api('GET', '/v1/alert-notifications')
  const status = await product.api('GET', '/v1/check-statuses')
  await until('the alert', async () => receiver.deliveries.find((each) => each.body['CHECK_NAME'] === 'Echo'))
  const everything =
    JSON.stringify([result.body, ledger.body, status.body, receiver.deliveries.map((each) => each.text)]) +
    product.output()
  echo.close()
  for (const form of [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
    'basic-password-of-echo',
  ]) {
    expect(everything).not.toContain(form)
  }
})
