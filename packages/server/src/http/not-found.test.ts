import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { givenApi, type TestApi } from '../../test-support/api.ts'
import { useDatabase } from '../../test-support/database.ts'

const database = useDatabase()
let api: TestApi

beforeAll(async () => {
  api = await givenApi(database.db)
})

const id = randomUUID()
const body = { name: 'Shop' }

test.each([
  ['GET', `/v1/checks/${id}`, 'check'],
  ['GET', '/v1/checks/nonsense', 'check'],
  ['PUT', `/v1/checks/${id}`, 'check'],
  ['PUT', `/v1/checks/api/${id}`, 'check'],
  ['PUT', '/v1/checks/api/nonsense', 'check'],
  ['DELETE', `/v1/checks/${id}`, 'check'],
  ['POST', `/v1/checks/${id}/run`, 'check'],
  ['POST', `/v1/checks/${id}/restore`, 'check'],
  ['POST', `/v1/checks/${id}/acknowledge`, 'check'],
  ['GET', '/v1/checks/nonsense/episodes', 'check'],
  ['GET', `/v1/check-statuses/${id}`, 'check'],
  ['GET', '/v1/check-statuses/nonsense', 'check'],
  ['GET', `/v1/check-results/${id}`, 'check'],
  ['GET', `/v1/check-results/${id}/nonsense`, 'result'],
  ['GET', '/v1/alert-channels/2147483647', 'alert channel'],
  ['GET', '/v1/alert-channels/99999999999', 'alert channel'],
  ['GET', '/v1/alert-channels/nonsense', 'alert channel'],
  ['GET', '/v1/variables/NONE', 'variable'],
  ['DELETE', '/v1/api-keys/nonsense', 'API key'],
] as const)('%s %s says that there is no such %s', async (method, url, what) => {
  const answer = await api.call(method, url, method === 'PUT' ? { body } : {})
  expect(answer).toMatchObject({ status: 404, body: { error: 'Not Found', message: `No such ${what}.` } })
})

test('a check of another type is not there for the routes of this one', async () => {
  const request = { hostname: 'db.example', port: 5432 }
  const { body: check } = await api.call('POST', '/v1/checks/tcp', { body: { name: 'Shop', request } })
  const answer = await api.call('PUT', `/v1/checks/api/${String(check['id'])}`, { body })
  expect(answer).toMatchObject({ status: 404, body: { message: 'No such API check.' } })
})

test('a path that no route has is named as it was asked for', async () => {
  const answer = await api.call('GET', '/v1/nonsense')
  expect(answer).toMatchObject({ status: 404, body: { message: 'GET /v1/nonsense does not exist.' } })
})

test.each([
  ['GET', '/v1/alert-notifications?checkId=x', undefined, '"checkId" must be the id of a check (a UUID), got "x"'],
  ['GET', '/v1/alert-notifications?alertChannelId=x', undefined, '"alertChannelId" must be a number, got "x"'],
  ['GET', `/v2/check-results/${id}?sequenceId=x`, undefined, '"sequenceId" must be the id of a run (a UUID), got "x"'],
  [
    'POST',
    '/v1/alert-channels',
    { type: 'EMAIL', config: { address: 'a@example.org' }, subscriptions: [{ checkId: 'x', activated: true }] },
    '"subscriptions.0.checkId" must be the id of a check (a UUID), got "x"',
  ],
  [
    'POST',
    '/v1/alert-channels',
    { type: 'EMAIL', config: { address: 'x' } },
    '"config.address" must be an e-mail address, got "x"',
  ],
] as const)('%s %s says what an id is the id of', async (method, url, sent, message) => {
  const answer = await api.call(method, url, sent ? { body: sent } : {})
  expect(answer).toMatchObject({ status: 400, body: { message } })
})
