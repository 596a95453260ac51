import { afterAll, beforeAll, expect, it } from 'vitest'
import { TestClock } from '../../test-support/clock.ts'
import { useDatabase } from '../../test-support/database.ts'
import {
  givenPingCheck,
  startPassiveServer,
  withPingType,
  type PassiveServer,
} from '../../test-support/passive-server.ts'
import { forgetChecks } from '../../test-support/plane.ts'

const database = useDatabase()
const hourMs = 3_600_000
let composed: Awaited<ReturnType<typeof withPingType>>
let clock: TestClock
let server: PassiveServer

beforeAll(async () => {
  await forgetChecks(database.db)
  composed = await withPingType()
  clock = new TestClock()
  server = await startPassiveServer(composed.connectParts, database.db, clock)
  await clock.advance(6000)
})
afterAll(async () => {
  await server.stop()
  composed.forget()
})

async function givenLeapAndBack() {
  const check = await givenPingCheck(database.db, clock, () => server)
  const { send } = check
  await send()
  await clock.advance(5000)
  clock.setWall(hourMs)
  await clock.advance(20_000)
  await send()
  await clock.advance(20_000)
  clock.setWall(-hourMs)
  await clock.advance(20_000)
  await send()
  await clock.advance(5000)
  expect(await check.state()).toBe('passing')
  return check
}

it('silence is noticed after the clock leapt forward by an hour and was set right again', async () => {
  const { state } = await givenLeapAndBack()
  await clock.advance(120_000)
  expect(await state()).toBe('failing')
})

it('a pause of the server in the hour that the clock had leapt over is no silence', async () => {
  const { send, outcomes } = await givenLeapAndBack()
  await server.crash()
  clock.jump(600_000)
  server = await startPassiveServer(composed.connectParts, database.db, clock)
  await clock.advance(6000)
  await send()
  await clock.advance(30_000)
  expect(new Set(await outcomes())).toEqual(new Set(['pass']))
})
