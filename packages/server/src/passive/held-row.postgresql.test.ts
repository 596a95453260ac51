import { expect, it } from 'vitest'
import { useDatabase } from '../../test-support/database.ts'
import { useHeldRows } from '../../test-support/held-rows.ts'
import { takeoverMs, usePassiveServer } from '../../test-support/passive-server.ts'

const database = useDatabase()
const rows = useHeldRows(database)
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

it.each([
  ['with the status of', 'check_status', 'check_id'],
  ['of', 'checks', 'id'],
])(
  'while another session holds the row %s one passive check, events of others that come with its own are stored',
  async (_what, table, column) => {
    await clock.advance(takeoverMs)
    const [held, good] = [await passive.givenHeartbeat(), await passive.givenHeartbeat()]
    const statusOf = async (one: typeof held) => ((await one.send()) as { statusCode: number }).statusCode
    await database.db.transaction(async (session) => {
      await session.query(`SELECT 1 FROM ${table} WHERE ${column} = $1 FOR UPDATE`, [held.id])
      const statuses = await Promise.all([held, held, good, held, good].map(statusOf))
      expect([statuses[2], statuses[4]]).toEqual([200, 200])
      expect(statuses[0]).toBeGreaterThanOrEqual(500)
    })
    expect(await statusOf(held)).toBe(200)
  },
)
