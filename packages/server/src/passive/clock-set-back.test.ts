import { describe, expect, it } from 'vitest'
import { useDatabase } from '../../test-support/database.ts'
import { takeoverMs, usePassiveServer } from '../../test-support/passive-server.ts'

const passive = usePassiveServer(useDatabase())
const { clock } = passive
const hourMs = 3_600_000

describe('after the clock was set back by an hour', () => {
  it('silence is noticed as soon as before, and the next event ends it', async () => {
    const { send, state } = await passive.givenHeartbeat()
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
    const { send, outcomes } = await passive.givenHeartbeat()
    for (let n = 0; n < 10; n++) {
      if (n === 3) clock.setWall(-hourMs)
      await send()
      await clock.advance(60_000)
    }
    expect(await outcomes()).toEqual(Array.from({ length: 10 }, () => 'pass'))
  })

  it('silence is noticed also when the server was started again since', async () => {
    const { send, outcomes } = await passive.givenHeartbeat()
    await send()
    await clock.advance(1000)
    await passive.server.crash()
    clock.setWall(-hourMs)
    await passive.start()
    await clock.advance(takeoverMs)
    await clock.advance(75_000)
    expect(await outcomes()).toContain('fail')
  })
})
