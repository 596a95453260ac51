import { systemClock, type Role } from '@vedette/wire'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { givenAccount, useDatabase } from '../../test-support/database.ts'
import { healthyFacts } from '../../test-support/health.ts'
import { givenKey, openTestHttp } from '../../test-support/http.ts'
import { authenticator } from '../access/authenticator.ts'
import type { App } from '../http/build-http.ts'
import type { HealthLook } from './health-watch.ts'
import { healthRoutes } from './routes.ts'
import { reportOf } from './signal/health-report.ts'
import type { LeaderReport } from './signal/shared-signal.ts'
import type { HealthFacts } from './facts/facts.ts'
import { isReady, troublesOf } from './troubles/troubles.ts'

const database = useDatabase()
let app: App
let look: HealthLook | undefined
let leader: LeaderReport | undefined
let accounts: string[]

beforeAll(async () => {
  const { db } = database
  accounts = [await givenAccount(db), await givenAccount(db)]
  app = await openTestHttp(
    db,
    (http) =>
      healthRoutes(http, {
        db,
        clock: systemClock,
        health: () => look,
        signal: { leader: () => leader, host: 'this-host' },
      }),
    {
      authenticate: authenticator(db),
    },
  )
})
afterAll(() => app.close())

const health = async (account = '', role: Role = 'read') => {
  const key = await givenKey(database.db, account, role)
  return app.inject({ url: '/v1/health', headers: { authorization: `Bearer ${key}` } })
}

const lookOf = (changes: Partial<HealthFacts>): HealthLook => {
  const facts = { ...healthyFacts(), ...changes }
  const troubles = troublesOf(facts)
  return { facts, troubles, ready: isReady(troubles) }
}

test('an account sees the troubles of the installation and its own, none of others', async () => {
  const [mine = '', other = ''] = accounts
  const place = { name: 'Office', served: 'by-own', awaited: false, agents: 0, withoutAgentMs: 600_000 } as const
  const facts = {
    ...healthyFacts(),
    disk: { free: 1, size: 100, lowMs: 0 },
    locations: [
      { ...place, id: 'pl_00000000-0000-4000-8000-000000000001' as const, accountId: mine },
      { ...place, id: 'pl_00000000-0000-4000-8000-000000000002' as const, accountId: other, name: 'Cellar' },
      { ...place, id: 'eu-west-1' as const, accountId: null, name: 'Ireland', agents: 1, withoutAgentMs: 0 },
    ],
  }
  look = lookOf(facts)
  const answer = await health(mine)
  expect(answer.json()).toMatchObject({
    ready: true,
    role: 'leading',
    troubles: [
      { code: 'LOCATION_WITHOUT_AGENT', subject: 'Office', advice: expect.any(String) as string },
      { code: 'DISK_NEARLY_FULL', subject: 'Vedette' },
    ],
    facts: {
      agentsOnline: [{ location: 'Office', agents: 0 }],
      lastTickSeconds: 1,
    },
  })
  expect(answer.body).not.toContain('Cellar')
})

test('a signal that is not up to date is no answer', async () => {
  look = undefined
  expect((await health(accounts[0])).statusCode).toBe(503)
})

describe('the error itself', () => {
  const failing = {
    commitAgeMs: 60_000,
    failingMs: 11_000,
    reason: 'connect ECONNREFUSED 10.1.2.3:5432 /var/lib',
    works: false,
  }
  const shared = {
    id: 'eu-west-1',
    name: 'Ireland',
    accountId: null,
    served: 'by-own',
    awaited: false,
    agents: 3,
  } as const
  const facts = { ingest: failing, locations: [{ ...shared, withoutAgentMs: 0 }] }

  /** Makes the account operate the installation. */
  const operate = (account = '') =>
    database.db.pool.query(
      `INSERT INTO installation (key, value) VALUES ('operator_account', to_jsonb($1::text))
       ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
      [account],
    )

  test('with addresses and paths, and agents of shared locations, are for the operator only', async () => {
    const [mine, other] = accounts
    await operate(mine)
    look = lookOf(facts)
    const operator = await health(mine, 'admin')
    expect(operator.json()).toMatchObject({
      leader: 'this-host',
      troubles: [{ code: 'RESULTS_NOT_STORED', text: expect.any(String) as string, reason: failing.reason }],
      facts: { agentsOnline: [{ location: 'Ireland', agents: 3 }] },
    })
    for (const answer of [await health(mine, 'read'), await health(other, 'admin')]) {
      expect(answer.json()).toMatchObject({
        ready: false,
        leader: null,
        troubles: [{ code: 'RESULTS_NOT_STORED', reason: null }],
        facts: { agentsOnline: [] },
      })
      expect(answer.body).not.toMatch(/10\.1\.2\.3|var.lib|this-host|Ireland/)
    }
  })
})

describe('a server that stands by', () => {
  const standby = { leading: false, otherLeads: true, schedule: { ...healthyFacts().schedule, tickAgeMs: null } }

  test('answers with what the leader said, and with what it sees itself', async () => {
    look = lookOf({ ...standby, clockLeap: { byMs: 9000, agoMs: 0 } })
    leader = { host: 'other-host', report: reportOf(lookOf({ noAgentMs: 120_000 })) }
    expect((await health(accounts[0], 'admin')).json()).toMatchObject({
      ready: false,
      role: 'standby',
      troubles: [{ code: 'NO_AGENT' }, { code: 'CLOCK_LEAPT' }],
      facts: { lastTickSeconds: 1 },
    })
  })

  test('does not say that all is well when the leader has said nothing', async () => {
    look = lookOf(standby)
    leader = undefined
    expect((await health(accounts[0])).json()).toMatchObject({
      role: 'standby',
      leader: null,
      troubles: [{ code: 'LEADER_NOT_HEARD' }],
    })
    look = lookOf({ ...standby, otherLeads: false })
    expect((await health(accounts[0])).json()).toMatchObject({ role: 'none', troubles: [{ code: 'LEADER_NOT_HEARD' }] })
  })
})
