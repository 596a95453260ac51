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

it('what is read of a change after the term ended stays out of the schedule of the next one', async () => {
  let answer: (value: { rows: [] }) => void = () => undefined
  const query = () => new Promise<{ rows: [] }>((resolve) => (answer = resolve))
  const gone: string[] = []
  const changes = new CheckChanges({
    db: { pool: { query } } as unknown as Database,
    clock: new TestClock(),
    onRuns: () => undefined,
    onGone: (id) => Promise.resolve(void gone.push(id)),
    log: { info: () => undefined, error: () => undefined },
  })
  const [before, after] = [randomUUID(), randomUUID()]
  const reading = changes.changed([before])
  changes.forget()
  const readingAgain = changes.changed([after])
  answer({ rows: [] })
  await new Promise((resolve) => setImmediate(resolve))
  answer({ rows: [] })
  await Promise.all([reading, readingAgain])
  expect(gone).toEqual([after])
})
