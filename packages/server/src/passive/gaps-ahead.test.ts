import { expect, it } from 'vitest'
import { useDatabase } from '../../test-support/database.ts'
import { takeoverMs, usePassiveServer } from '../../test-support/passive-server.ts'

const passive = usePassiveServer(useDatabase())
const { clock } = passive
const hourMs = 3_600_000

async function givenLeapAndBack() {
  await clock.advance(takeoverMs)
  const check = await passive.givenHeartbeat()
  await check.send()
  await clock.advance(5000)
  clock.setWall(hourMs)
  await clock.advance(20_000)
  await check.send()
  await clock.advance(20_000)
  clock.setWall(-hourMs)
  await clock.advance(20_000)
  await check.send()
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
  await passive.server.crash()
  clock.jump(600_000)
  await passive.start()
  await clock.advance(takeoverMs)
  await send()
  await clock.advance(30_000)
  expect(new Set(await outcomes())).toEqual(new Set(['pass']))
})
