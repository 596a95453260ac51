import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
const takeoverMs = 6000
let composed: Awaited<ReturnType<typeof withPingType>>
let clock: TestClock
let server: PassiveServer

beforeAll(async () => {
  await forgetChecks(database.db)
  composed = await withPingType()
  clock = new TestClock()
  server = await startPassiveServer(composed.connectParts, database.db, clock)
})
afterAll(async () => {
  await server.stop()
  composed.forget()
})

const given = () => givenPingCheck(database.db, clock, () => server)

describe('after the clock was set back by an hour', () => {
  it('silence is noticed as soon as before, and the next event ends it', async () => {
    const { send, state } = await given()
    await send()
    await clock.advance(5000)
    clock.setWall(-hourMs)
    await clock.advance(60_000)
    expect(await state()).toBe('passing')
    await clock.advance(30_000)
    expect(await state()).toBe('failing')
    await send()
    await clock.advance(1000)
    expect(await state()).toBe('passing')
  })

  it('a check whose events go on arriving passes, and each has its result', async () => {
    const { send, outcomes } = await given()
    for (let n = 0; n < 10; n++) {
      if (n === 3) clock.setWall(-hourMs)
      await send()
      await clock.advance(60_000)
    }
    expect(await outcomes()).toEqual(Array.from({ length: 10 }, () => 'pass'))
  })

  it('silence is noticed also when the server was started again since', async () => {
    const { send, outcomes } = await given()
    await send()
    await clock.advance(1000)
    await server.crash()
    clock.setWall(-hourMs)
    server = await startPassiveServer(composed.connectParts, database.db, clock)
    await clock.advance(takeoverMs)
    await clock.advance(75_000)
    expect(await outcomes()).toContain('fail')
  })
})
