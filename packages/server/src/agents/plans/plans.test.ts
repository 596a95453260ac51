import { randomUUID } from 'node:crypto'
import {
  dueAt,
  jobContentSchema,
  leaseOfPlan,
  plannedCheck,
  sealingContext,
  slotAtOrAfter,
  type PlanAnswer,
  type PlannedCheck,
} from '@vedette/wire'
import { sealingKeys } from '@vedette/wire/sealing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { CheckResultsRow } from '../../db/rows.ts'
import { givenCheck, redefine, type GivenCheck } from '../../../test-support/checks.ts'
import { givenAccount, useEmptiedDatabase } from '../../../test-support/database.ts'
import { forgetChecks, givenPlane, planKeptMs, TestAgent, type Plane } from '../../../test-support/plane.ts'
import { givenPrivateKey, givenPrivateLocation } from '../../../test-support/private-locations.ts'
import { failed, reportAt } from '../../../test-support/reports.ts'

const database = useEmptiedDatabase()
const keys = sealingKeys()
let plane: Plane
let accountId: string
let location: `pl_${string}`
let agent: TestAgent

beforeEach(async () => {
  await forgetChecks(database.db)
  plane = await givenPlane(database.db)
  accountId = await givenAccount(database.db)
  location = await givenPrivateLocation(database.db, accountId, `office-${randomUUID().slice(0, 8)}`)
  agent = await agentOf(accountId, location)
})
afterEach(() => plane.stop())

async function agentOf(account: string, place: `pl_${string}`): Promise<TestAgent> {
  const raw = await givenPrivateKey(database.db, { accountId: account, location: place, slug: 'office' })
  plane.agents.keys.forget()
  return new TestAgent(plane, raw)
}

/** A check every ten seconds at the location, in the schedule. */
async function givenScheduled(definition: Record<string, unknown> = {}, account = accountId): Promise<GivenCheck> {
  const often = { frequency: 0, frequencyOffset: 10, locations: [], privateLocations: [location] }
  const check = await givenCheck(plane, { accountId: account, definition: { ...often, ...definition } })
  await plane.dispatch.checkChanged(check.id)
  return check
}

type Asked = Record<string, unknown>

async function planOf(from = agent, asked: Asked = {}): Promise<PlanAnswer> {
  const { body } = await from.post('plan', { publicKey: keys.publicKey, ...asked })
  return body['plan'] as PlanAnswer
}

async function plannedOf(from = agent): Promise<PlannedCheck> {
  const [check] = (await planOf(from)).checks
  if (check === undefined) throw new Error('The plan is empty.')
  return plannedCheck.parse(check)
}

/** The next due time of the planned check. */
const nextDue = (check: PlannedCheck, nth = 1) => dueAt(check, slotAtOrAfter(check, plane.clock.now()) + nth)

const storedOf = async (checkId: string) =>
  (
    await database.db.pool.query<Pick<CheckResultsRow, 'id' | 'due_at' | 'outcome' | 'late' | 'location' | 'attempts'>>(
      `SELECT id, due_at, outcome, late, location, result_type, attempts FROM check_results WHERE check_id = $1
       ORDER BY due_at, attempts`,
      [checkId],
    )
  ).rows

it('holds the checks of the location with their slots, and their content for this agent alone', async () => {
  const check = await givenScheduled({ locations: ['eu-west-1'], frequency: 1, frequencyOffset: 5 })
  await givenScheduled({ privateLocations: null, locations: ['eu-west-1'] })
  const { body } = await agent.post('plan', { publicKey: keys.publicKey })
  expect(JSON.stringify(body)).not.toContain('http://127.0.0.1:1')
  const plan = body['plan'] as PlanAnswer
  expect(plan).toMatchObject({ unchanged: false, share: { index: 0, of: 1 }, next: null })
  expect(plan.checks).toMatchObject([
    { checkId: check.id, revision: 1, frequency: 1, frequencyOffset: 5, every: 2, turn: 1, location, type: 'API' },
  ])
  const planned = plannedCheck.parse(plan.checks[0])
  expect(planned.until).toBe(plane.clock.now() + planKeptMs)
  const content = jobContentSchema.parse(JSON.parse(keys.open(planned.sealed, sealingContext(planned))))
  expect(content).toMatchObject({
    checkName: 'Shop',
    location: expect.stringContaining('office-'),
    emulated: false,
    definition: { request: { url: 'http://127.0.0.1:1/' } },
    egress: { privateTargets: true },
  })
  expect(() => sealingKeys().open(planned.sealed, sealingContext(planned))).toThrow()
})

it('is sent again only when a check, a variable or the hour has changed', async () => {
  const check = await givenScheduled()
  const { version } = await planOf()
  expect(await planOf(agent, { version })).toMatchObject({ version, unchanged: true, checks: [] })
  await redefine(plane, check, { frequencyOffset: 20 })
  await plane.dispatch.checkChanged(check.id)
  const changed = await planOf(agent, { version })
  expect(changed).toMatchObject({ unchanged: false, checks: [{ frequencyOffset: 20 }] })
  await database.db.pool.query(
    `INSERT INTO variables (account_id, key, value, locked, secret, version, created_at) VALUES ($1, 'A', '', false, false, 1, now())`,
    [accountId],
  )
  plane.agents.jobs.variables.forget(accountId)
  const withVariable = await planOf(agent, { version: changed.version })
  expect(withVariable.unchanged).toBe(false)
  await plane.clock.advance(60 * 60_000)
  expect((await planOf(agent, { version: withVariable.version })).unchanged).toBe(false)
})

it('comes in parts when there are many checks', async () => {
  const ids: string[] = []
  for (let n = 0; n < 3; n++) ids.push((await givenScheduled()).id)
  const whole = await planOf()
  expect(whole.checks.map(({ checkId }) => checkId)).toEqual(ids.toSorted())
  const rest = await planOf(agent, { after: ids.toSorted()[0] })
  expect(rest.checks.map(({ checkId }) => checkId)).toEqual(ids.toSorted().slice(1))
  expect(rest.version).toBe(whole.version)
})

it('divides the slots among the agents that ask for it, and among the rest when one is gone', async () => {
  const other = await agentOf(accountId, location)
  expect((await planOf()).share).toEqual({ index: 0, of: 1 })
  const shares = [(await planOf(other)).share, (await planOf()).share]
  expect(shares.map(({ of }) => of)).toEqual([2, 2])
  expect(new Set(shares.map(({ index }) => index))).toEqual(new Set([0, 1]))
  await plane.clock.advance(90_000)
  expect((await planOf()).share).toEqual({ index: 0, of: 1 })
})

it('counts no agent that said goodbye, or that has been silent for half a minute', async () => {
  const [gone, killed] = [await agentOf(accountId, location), await agentOf(accountId, location)]
  for (const one of [gone, killed]) await planOf(one)
  expect((await planOf()).share.of).toBe(3)
  await gone.post('goodbye', {})
  expect((await planOf()).share.of).toBe(2)
  await plane.clock.advance(20_000)
  await agent.renew([])
  await plane.clock.advance(15_000)
  await agent.renew([])
  expect((await planOf()).share).toEqual({ index: 0, of: 1 })
})

it('is only for agents of private locations, and only of their own account', async () => {
  await givenScheduled()
  const builtin = new TestAgent(plane, await plane.agents.keys.mintBuiltin('test'))
  expect(await planOf(builtin)).toBeNull()
  const { raw } = await plane.agents.keys.mintForDataCenter(database.db.pool, 'eu-west-1')
  plane.agents.keys.forget()
  expect(await planOf(new TestAgent(plane, raw))).toBeNull()
  const stranger = await givenAccount(database.db)
  const elsewhere = await agentOf(stranger, await givenPrivateLocation(database.db, stranger, 'elsewhere'))
  expect((await planOf(elsewhere)).checks).toEqual([])
})

it('refuses a key that is none', async () => {
  const { status, body } = await agent.post('plan', { publicKey: 'A'.repeat(42) })
  expect(status).toBe(400)
  expect(body['message']).toContain('publicKey')
})

it('lets its agent report results of its slots, once each, under the ids of the schedule', async () => {
  const check = await givenScheduled()
  const planned = await plannedOf()
  const due = nextDue(planned)
  await plane.clock.advance(due + 1000 - plane.clock.now())
  const report = { lease: `${planned.token}.${due}`, ...reportAt(due + 5) }
  const { body } = await agent.report(plane.clock, report, report)
  expect(new Set(body['accepted'] as string[]).size).toBe(1)
  const stored = (await storedOf(check.id)).filter(({ due_at }) => due_at.getTime() === due)
  expect(stored).toMatchObject([{ id: (body['accepted'] as string[])[0], outcome: 'pass', late: false, location }])
})

it('lets nobody report what is no slot of the plan, and no other key', async () => {
  const check = await givenScheduled({ locations: ['eu-west-1'] })
  const planned = await plannedOf()
  const own = nextDue(planned)
  const isOurs = (slot: number) => slot % 2 === 1
  const ours = dueAt(planned, [1, 2].map((n) => slotAtOrAfter(planned, own) + n).find(isOurs) ?? 0)
  await plane.clock.advance(ours + 1000 - plane.clock.now())
  const at = (due: number | string) => ({ lease: `${planned.token}.${due}`, ...reportAt(ours + 5) })
  const wrong = [
    ours + 1,
    ours - 10_000,
    planned.from - 10_000,
    planned.until + 20_000,
    '',
    '1.5',
    `${ours}.0`,
    `${ours}.11`,
    `${ours}.1.1`,
    '-1',
  ]
  const { body } = await agent.report(plane.clock, ...wrong.map(at))
  expect(body['accepted']).toEqual([])
  expect(body['rejected']).toHaveLength(wrong.length)
  const forged = { lease: `${planned.token.slice(0, -3)}abc.${ours}`, ...reportAt(ours) }
  expect((await agent.report(plane.clock, forged)).body['accepted']).toEqual([])
  const other = await agentOf(accountId, location)
  expect((await other.report(plane.clock, at(ours))).body['accepted']).toEqual([])
  const ids = (await storedOf(check.id)).filter(({ location: at_ }) => at_ === location)
  expect(ids.filter(({ due_at }) => due_at.getTime() === ours)).toEqual([])
  expect((await agent.report(plane.clock, at(ours))).body['accepted']).toHaveLength(1)
})

it('lets nobody report a slot ahead of its time, or one of long before the plan was made', async () => {
  const check = await givenScheduled()
  await plane.clock.advance(60 * 60_000)
  const planned = await plannedOf()
  const now = plane.clock.now()
  const [past, ahead] = [nextDue(planned, -100), nextDue(planned, 100)]
  const { body } = await agent.report(
    plane.clock,
    ...[past, ahead].map((due) => ({ lease: `${planned.token}.${due}`, ...reportAt(now) })),
  )
  expect(body['accepted']).toEqual([])
  expect((body['rejected'] as { reason: string }[]).map(({ reason }) => reason)).toEqual([
    'The lease was not issued here.',
    expect.stringContaining('not due yet'),
  ])
  const dues = (await storedOf(check.id)).map(({ due_at }) => due_at.getTime())
  expect(dues).not.toContain(past)
  expect(dues).not.toContain(ahead)
})

/** A run that failed and then passed when the agent retried it. */
const retriedRun = ({ token }: PlannedCheck, due: number) => [
  { lease: leaseOfPlan(token, due, 0), ...reportAt(due + 5, { verdict: failed, replayed: true, retried: true }) },
  { lease: leaseOfPlan(token, due, 1), ...reportAt(due + 20_000, { replayed: true, retried: false }) },
]

it('says how runs are retried, and takes the attempts that the agent made', async () => {
  const retryStrategy = { type: 'FIXED', baseBackoffSeconds: 20, maxRetries: 2 }
  const check = await givenScheduled({ retryStrategy })
  const planned = await plannedOf()
  expect(planned.retryStrategy).toMatchObject({ ...retryStrategy, maxDurationSeconds: 600 })
  const due = nextDue(planned)
  await plane.clock.advance(due + 60_000 - plane.clock.now())
  expect((await agent.report(plane.clock, ...retriedRun(planned, due))).body['accepted']).toHaveLength(2)
  expect((await storedOf(check.id)).filter(({ due_at }) => due_at.getTime() === due)).toMatchObject([
    { outcome: 'fail', result_type: 'ATTEMPT', attempts: 0 },
    { outcome: 'pass', result_type: 'FINAL', attempts: 1 },
  ])
  const { rows } = await database.db.pool.query(
    `SELECT s.has_failures, p.attempt FROM check_status s LEFT JOIN pending_runs p ON p.check_id = s.check_id AND p.attempt > 0
     WHERE s.check_id = $1`,
    [check.id],
  )
  expect(rows).toEqual([{ has_failures: false, attempt: null }])
})

it('counts the attempts that come with it against the longest duration of a run', async () => {
  const retryStrategy = { type: 'FIXED', baseBackoffSeconds: 20, maxRetries: 3, maxDurationSeconds: 60 }
  const check = await givenScheduled({ retryStrategy })
  const planned = await plannedOf()
  const due = nextDue(planned)
  await plane.clock.advance(due + 60_000 - plane.clock.now())
  const [first, second] = retriedRun(planned, due)
  const again = { ...second, startedAt: due + 50_000, stoppedAt: due + 51_000, verdict: failed, retried: undefined }
  expect((await agent.report(plane.clock, first, again)).body['accepted']).toHaveLength(2)
  expect((await storedOf(check.id)).filter(({ due_at }) => due_at.getTime() === due)).toMatchObject([
    { result_type: 'ATTEMPT' },
    { outcome: 'fail', result_type: 'FINAL', attempts: 1 },
  ])
})

it('ends a run once, when another agent ran the slot while this one was cut off', async () => {
  const check = await givenScheduled({ retryStrategy: { type: 'FIXED', baseBackoffSeconds: 20, maxRetries: 2 } })
  const planned = await plannedOf()
  const [due, next] = [nextDue(planned), nextDue(planned, 2)]
  await plane.clock.advance(next + 60_000 - plane.clock.now())
  const other = { lease: leaseOfPlan(planned.token, due, 0), ...reportAt(due + 5) }
  expect((await agent.report(plane.clock, other)).body['accepted']).toHaveLength(1)
  const { body } = await agent.report(plane.clock, ...retriedRun(planned, due))
  expect(body).toMatchObject({ rejected: [{ reason: expect.stringContaining('another attempt') }] })
  // Both in one batch, the last attempt first.
  const [first, last] = retriedRun(planned, next)
  await agent.report(plane.clock, last, { ...first, retried: undefined, verdict: reportAt(0).verdict })
  for (const at of [due, next])
    expect((await storedOf(check.id)).filter(({ due_at }) => due_at.getTime() === at)).toMatchObject([
      { outcome: 'pass', result_type: 'FINAL', attempts: 0 },
    ])
})

it('leaves the retries of a run that was handed out to the server, whatever the agent says', async () => {
  const check = await givenScheduled()
  await agent.hello()
  const leasing = agent.lease(20_000)
  await plane.clock.advance(20_000)
  const [job] = await leasing
  expect(job).toMatchObject({ checkId: check.id })
  await agent.report(plane.clock, {
    lease: job?.lease,
    ...reportAt(job?.dueAt ?? 0, { verdict: failed, retried: true }),
  })
  expect(await storedOf(check.id)).toMatchObject([{ outcome: 'fail', result_type: 'FINAL' }])
})

it('stores what comes much later in its place, and pages for nothing that is past', async () => {
  const check = await givenScheduled()
  const planned = await plannedOf()
  const dues = Array.from({ length: 20 }, (_, nth) => nextDue(planned, nth + 1))
  await plane.clock.advance(20 * 60_000)
  const reports = dues.map((due, nth) => ({
    lease: `${planned.token}.${due}`,
    ...reportAt(due + 5, { replayed: true, ...(nth < 10 && { verdict: failed }) }),
  }))
  const { body } = await agent.report(plane.clock, ...reports)
  expect(body['accepted']).toHaveLength(20)
  const stored = (await storedOf(check.id)).filter(({ due_at }) => dues.includes(due_at.getTime()))
  expect(stored.map(({ outcome, late }) => `${outcome} ${late}`)).toEqual([
    ...Array.from({ length: 10 }, () => 'fail true'),
    ...Array.from({ length: 10 }, () => 'pass true'),
  ])
  const { rows } = await database.db.pool.query<{ alert_type: string }>(
    `SELECT alert_type FROM check_alerts WHERE check_id = $1 AND alert_type NOT LIKE 'ALERT_UNKNOWN%'`,
    [check.id],
  )
  expect(rows).toEqual([])
})
