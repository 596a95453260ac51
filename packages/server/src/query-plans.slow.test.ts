import { checkTypes } from '@vedette/checks'
import { systemClock } from '@vedette/wire'
import { beforeAll, expect, test } from 'vitest'
import { fillTables } from '../test-support/plans/filled-tables.ts'
import { scansOf } from '../test-support/plans/scans.ts'
import { walkRoutes, type Walked } from '../test-support/plans/walk-routes.ts'
import { recordingStatements, type SentStatement } from '../test-support/recorded-statements.ts'
import { givenThings } from '../test-support/route-things.ts'
import { givenAccount, useEmptiedDatabase } from '../test-support/database.ts'
import { givenKey } from '../test-support/http.ts'
import { givenWholeApp } from '../test-support/whole-app.ts'
import { sessionEnds } from './sessions/index.ts'

const database = useEmptiedDatabase()

/** Tables that hold a few rows however much an installation is used, and why. */
const fixed = new Map([
  ['installation', 'one row for each thing that an installation has once'],
  ['leadership', 'one row for each role'],
  ['health_reports', 'one row for each role'],
  ['system_troubles', 'one row for each kind of trouble that lasts'],
  ['schema_migrations', 'one row for each migration'],
])

/** Beginnings of statements that read all of a table because all of it is asked for, and why. */
const readAll = new Map([
  ['SELECT coalesce( (SELECT value', 'the oldest account is the first of the index'],
  ['SELECT a.id, a.name, a.suspended_at', 'a page of all accounts, in the order of the index'],
  ['SELECT count(*)::int AS total FROM accounts a', 'all accounts are counted for who operates the installation'],
  ['SELECT k.id, k.kind, k.account_id', 'all keys of agents are kept in memory'],
])

/** Routes that refuse the call of the walk after they have read what they need, and why. */
const refusing = new Map([
  ['GET /v1/check-results/:checkId/:checkResultId', 'there is no such result'],
  ['GET /v1/check-results/:checkId/:checkResultId/assets', 'there is no such result'],
  ['GET /v1/check-results/:checkId/:checkResultId/assets/:name', 'there is no such result'],
  ['GET /v1/check-sessions/:checkSessionId/completion', 'no agent runs it'],
  ['GET /v2/check-sessions/:checkSessionId/completion', 'no agent runs it'],
  ['GET /v1/checks/heartbeats/:checkId/events/:id', 'there is no such event'],
  ['GET /v1/runtimes/:id', 'it reads no database, and there is no such runtime'],
  ['GET /v1/export', 'things of one name cannot be told apart in files'],
  ['POST /v1/import', 'things of one name cannot be told apart in files'],
  ['GET /v1/health', 'nothing watches here'],
  ['GET /v1/canary/:checkRunId', 'there is no canary here'],
  ['POST /v1/canary', 'there is no canary here'],
  ...checkTypes
    .filter(({ dryRun }) => dryRun)
    .map(({ path }) => [`POST /v1/checks/${path}/dry-run`, 'no agent runs it'] as const),
  ['POST /v1/checks/bulk/undo', 'the token is not one'],
  ['POST /v1/checks/:id/acknowledge', 'it is not in trouble'],
  ['DELETE /v1/checks/:id/acknowledge', 'it is not in trouble'],
  ['POST /v1/triggers/checks/:checkId', 'it has one'],
  ['POST /v1/triggers/check-groups/:groupId', 'it has one'],
  ['POST /v1/alert-channels/:id/test', 'this server sends nothing'],
  ['POST /v1/installation/accounts/:accountId/suspend', 'there is no such account'],
  ['POST /v1/installation/accounts/:accountId/resume', 'there is no such account'],
  ['POST /v1/accounts/:accountId/members', 'the person was invited a moment ago'],
  ['PATCH /v1/accounts/me/members/:userId', 'an account keeps its owner'],
  ['PATCH /v1/accounts/:accountId/members/:userId', 'an account keeps its owner'],
  ['DELETE /v1/accounts/me/members/:userId', 'an account keeps its owner'],
  ['DELETE /v1/accounts/:accountId/members/:userId', 'an account keeps its owner'],
  ['DELETE /v1/check-groups/:id', 'it holds checks'],
  ['DELETE /v1/private-locations/:id/keys/:keyId', 'its location was deleted before it'],
  ['DELETE /v1/agent-keys/:id', 'there is no such key'],
])

let walked: Walked

beforeAll(async () => {
  const { db, statements } = recordingStatements(database.db)
  const ends = sessionEnds(systemClock)
  // Whoever waits for the end of a session, which no agent runs, is answered at once.
  ends.stop()
  const rateLimit = { max: 1_000_000, windowSeconds: 60, ofRoutes: false }
  const app = await givenWholeApp(db, { rateLimit, sessionEnds: ends })
  const account = await givenAccount(db)
  const key = await givenKey(db, account, 'admin')
  const things = await givenThings(app, db, { account, key })
  const [checkId] = things.get('/v1/checks/:id')?.split('/').slice(-1) ?? []
  walked = await walkRoutes({
    app,
    headers: { authorization: `Bearer ${key}` },
    things,
    statements,
    bodies: {
      'PUT /v1/alert-channels/:id/subscriptions': { checkId, activated: true },
      'PUT /v1/snippets/:id': { name: 'Other', script: 'other()' },
    },
    queries: { 'GET /v1/private-locations/:id/metrics': `from=${Date.now() / 1000 - 3600}&to=${Date.now() / 1000}` },
    // It does not end.
    except: new Set(['GET /v1/live']),
  })
  await fillTables(database.db, new Set(fixed.keys()))
}, 240_000)

test('every route of the management API is called, and answers unless it is known why not', () => {
  const api = walked.routes.filter(({ name }) => / \/v\d\//.test(name))
  expect(api.length).toBeGreaterThan(100)
  const silent = api.filter(({ answers }) => ![...answers].some((status) => status < 300)).map(({ name }) => name)
  expect(silent.toSorted()).toEqual([...refusing.keys()].toSorted())
  expect(api.filter(({ answers }) => answers.has(500)).map(({ name }) => name)).toEqual([])
})

test('no statement of a route reads a table that grows from end to end', { timeout: 120_000 }, async () => {
  const planned = [...walked.sent.values()].filter(({ statement }) => isPlanned(statement))
  expect(planned.length).toBeGreaterThan(200)
  const unused = new Set(readAll.keys())
  const found: string[] = []
  for (const { route, statement } of planned) {
    const text = statement.text.replaceAll(/\s+/g, ' ').trim()
    const scans = (await scansOf(database.db, statement)).filter(({ table }) => !fixed.has(table))
    const known = [...readAll.keys()].find((beginning) => text.startsWith(beginning))
    if (known !== undefined) unused.delete(known)
    else for (const { table, by } of scans) found.push(`${route} reads ${table} by ${by}: ${text}`)
  }
  expect(found).toEqual([])
  expect([...unused]).toEqual([])
})

const isPlanned = ({ text }: SentStatement) => /^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)\b/i.test(text)
