import { beforeAll, expect, test } from 'vitest'
import { givenApi, type TestApi } from '../../../test-support/api.ts'
import { useDatabase } from '../../../test-support/database.ts'

const database = useDatabase()
let api: TestApi

beforeAll(async () => {
  api = await givenApi(database.db)
})

const create = (more: Record<string, unknown>) =>
  api.call('POST', '/v1/checks/api', { body: { name: 'Shop', request: { url: 'https://shop.example' }, ...more } })

test.each([['NETWORK_ERROR'], [['NETWORK_ERROR']]])('onlyOn %j is answered as a list', async (onlyOn) => {
  const { status, body } = await create({ retryStrategy: { type: 'FIXED', onlyOn } })
  expect([status, body['retryStrategy']]).toEqual([201, expect.objectContaining({ onlyOn: ['NETWORK_ERROR'] })])
})

test('onlyOn that is not sent is an empty list', async () => {
  const { body } = await create({ retryStrategy: { type: 'FIXED' } })
  expect(body['retryStrategy']).toMatchObject({ onlyOn: [] })
})

test.each([
  [null, 'must be an array, got null'],
  [{}, 'must be an array, got an object'],
])('onlyOn %j is refused', async (onlyOn, message) => {
  const { status, body } = await create({ retryStrategy: { type: 'FIXED', onlyOn } })
  expect([status, body['message']]).toEqual([400, `"retryStrategy.onlyOn" ${message}`])
  const [wrong] = [await create({ retryStrategy: { type: 'FIXED', onlyOn: 'ANYTHING' } })]
  expect(wrong.body['message']).toBe('"retryStrategy.onlyOn.0" must be "NETWORK_ERROR", got "ANYTHING"')
})

test('onlyOn is documented as a list', () => {
  const document = JSON.stringify(api.app.swagger())
  expect(document).toContain('"onlyOn":{"description":"Retry only after these kinds of failure.","type":"array"')
})

test('a setting that would have no effect is refused and named', async () => {
  const { status, body } = await create({ alertSettings: { sslCertificates: { enabled: true, alertThreshold: 3 } } })
  expect([status, body['message']]).toEqual([400, '"alertSettings.sslCertificates" is not a known field'])
})
