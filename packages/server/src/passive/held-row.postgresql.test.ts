import { afterAll, beforeAll, expect, it } from 'vitest'
import { TestClock } from '../../test-support/clock.ts'
import { databaseUrlOf, useDatabase } from '../../test-support/database.ts'
import {
  givenPingCheck,
  startPassiveServer,
  withPingType,
  type PassiveServer,
} from '../../test-support/passive-server.ts'
import { forgetChecks } from '../../test-support/plane.ts'
import type { Database } from '../db/database.ts'
import { openExternal } from '../db/external.ts'

const database = useDatabase()
const limits = { statementMs: 60_000, lockMs: 100, answerMs: 60_000, connectMs: 5000, idleInTransactionMs: 60_000 }
let composed: Awaited<ReturnType<typeof withPingType>>
let clock: TestClock
let db: Database
let server: PassiveServer

beforeAll(async () => {
  await forgetChecks(database.db)
  db = await openExternal(databaseUrlOf(database.db), undefined, limits)
  composed = await withPingType()
  clock = new TestClock()
  server = await startPassiveServer(composed.connectParts, db, clock)
  await clock.advance(6000)
})
afterAll(async () => {
  await server.stop()
  await db.close()
  composed.forget()
})

it('while another session holds the row of one passive check, the silence of others is noticed, and then its own', async () => {
  const given = () => givenPingCheck(database.db, clock, () => server)
  const [held, good] = [await given(), await given()]
  await held.send()
  await good.send()
  await clock.advance(5000)
  await database.db.transaction(async (session) => {
    await session.query('SELECT 1 FROM check_status WHERE check_id = $1 FOR UPDATE', [held.id])
    await clock.advance(100_000)
    expect(await good.state()).toBe('failing')
  })
  await clock.advance(70_000)
  expect(await held.state()).toBe('failing')
})
