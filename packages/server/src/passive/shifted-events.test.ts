import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { givenCheck } from '../../test-support/checks.ts'
import { useEmptiedDatabase } from '../../test-support/database.ts'
import { shiftBack } from './store.ts'

const database = useEmptiedDatabase()
const minute = 60_000

test('events that lie as far apart as the clock was set back are shifted in whatever order they are stored', async () => {
  const { id, accountId } = await givenCheck(database)
  const now = Date.now()
  const newest = now + 60 * minute
  // Deleted rows leave room for newer ones: what is stored first need not be the oldest.
  for (let n = 0; n <= 120; n++)
    await database.db.pool.query('INSERT INTO check_events (id, account_id, check_id, at) VALUES ($1, $2, $3, $4)', [
      randomUUID(),
      accountId,
      id,
      new Date(newest - n * minute),
    ])
  await database.db.transaction((client) => shiftBack(client, [id], now))
  const { rows } = await database.db.pool.query<{ newest: Date }>(
    'SELECT max(at) AS newest FROM check_events WHERE check_id = $1',
    [id],
  )
  expect(rows[0]?.newest.getTime()).toBe(now)
})
