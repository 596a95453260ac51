import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Database } from '../db/database.ts'
import { CheckChanges } from './check-changes.ts'
import { TestClock } from '../../test-support/clock.ts'

it('a change that could not be read is read again until the schedule knows it', async () => {
  const clock = new TestClock()
  let away = true
  const query = () => (away ? Promise.reject(new Error('The database is away.')) : Promise.resolve({ rows: [] }))
  const gone: string[] = []
  const changes = new CheckChanges({
    db: { pool: { query } } as unknown as Database,
    clock,
    onRuns: () => undefined,
    onGone: (id) => Promise.resolve(void gone.push(id)),
    log: { info: () => undefined, error: () => undefined },
  })
  const ids = [randomUUID(), randomUUID()]
  await expect(changes.changed(ids.slice(0, 1))).rejects.toThrow('away')
  await clock.advance(5000)
  await expect(changes.changed(ids.slice(1))).rejects.toThrow('away')
  away = false
  await clock.advance(1000)
  expect(gone.toSorted()).toEqual(ids.toSorted())
  expect(clock.timers).toBe(0)
})
