import { afterAll, beforeAll, expect, test } from 'vitest'
import { givenAccount, useDatabase } from '../../test-support/database.ts'
import { healthyFacts } from '../../test-support/health.ts'
import { givenKey, openTestHttp } from '../../test-support/http.ts'
import { authenticator } from '../access/authenticator.ts'
import type { App } from '../http/build-http.ts'
import type { HealthLook } from './health-watch.ts'
import { healthRoutes } from './routes.ts'
import { isReady, troublesOf } from './troubles/troubles.ts'

const database = useDatabase()
let app: App
let look: HealthLook | undefined
let accounts: string[]

beforeAll(async () => {
  const { db } = database
  accounts = [await givenAccount(db), await givenAccount(db)]
  app = await openTestHttp(db, (http) => healthRoutes(http, { health: () => look }), {
    authenticate: authenticator(db),
  })
})
afterAll(() => app.close())

const health = async (account = '') => {
  const key = await givenKey(database.db, account, 'read')
  return app.inject({ url: '/v1/health', headers: { authorization: `Bearer ${key}` } })
}

test('an account sees the troubles of the installation and its own, none of others', async () => {
  const [mine = '', other = ''] = accounts
  const place = { name: 'Office', served: 'by-own', agents: 0, withoutAgentMs: 600_000 } as const
  const facts = {
    ...healthyFacts(),
    disk: { free: 1, size: 100, lowMs: 0 },
    locations: [
      { ...place, id: 'pl_00000000-0000-4000-8000-000000000001' as const, accountId: mine },
      { ...place, id: 'pl_00000000-0000-4000-8000-000000000002' as const, accountId: other, name: 'Cellar' },
      { ...place, id: 'eu-west-1' as const, accountId: null, name: 'Ireland', agents: 1, withoutAgentMs: 0 },
    ],
  }
  const troubles = troublesOf(facts)
  look = { facts, troubles, ready: isReady(troubles) }
  const answer = await health(mine)
  expect(answer.json()).toMatchObject({
    ready: true,
    role: 'leading',
    troubles: [
      { code: 'LOCATION_WITHOUT_AGENT', subject: 'Office', advice: expect.any(String) as string },
      { code: 'DISK_NEARLY_FULL', subject: 'Vedette' },
    ],
    facts: {
      agentsOnline: [
        { location: 'Office', agents: 0 },
        { location: 'Ireland', agents: 1 },
      ],
      lastTickSeconds: 1,
    },
  })
  expect(answer.body).not.toContain('Cellar')
})

test('a signal that is not up to date is no answer', async () => {
  look = undefined
  expect((await health(accounts[0])).statusCode).toBe(503)
})
