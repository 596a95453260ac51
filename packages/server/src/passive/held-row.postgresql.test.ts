import { expect, it } from 'vitest'
import { useDatabase } from '../../test-support/database.ts'
import { useHeldRows } from '../../test-support/held-rows.ts'
import { takeoverMs, usePassiveServer } from '../../test-support/passive-server.ts'

const rows = useHeldRows(useDatabase())
const passive = usePassiveServer(rows)
const { clock } = passive

it('while another session holds the row of one passive check, the silence of others is noticed, and then its own', async () => {
  await clock.advance(takeoverMs)
  const [held, good] = [await passive.givenHeartbeat(), await passive.givenHeartbeat()]
  await held.send()
  await good.send()
  await clock.advance(5000)
  await rows.whileHeld(held.id, async () => {
    await clock.advance(100_000)
    expect(await good.state()).toBe('failing')
  })
  await clock.advance(70_000)
  expect(await held.state()).toBe('failing')
})
