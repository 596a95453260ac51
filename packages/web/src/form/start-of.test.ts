import { checkTypeOf, createSchema, valueAt } from '@vedette/checks'
import { expect, test } from 'vitest'
import { startOf } from './start-of.ts'

const type = checkTypeOf('HEARTBEAT')
if (type === undefined) throw new Error('Heartbeats are built')

test('the form of a new heartbeat asks for a name alone', () => {
  const start = startOf(type, undefined)
  expect(createSchema(type).safeParse({ ...start, name: 'Backup' }).success).toBe(true)
  expect(valueAt(start, 'heartbeat.pingToken')).toBeUndefined()
})

test('the copy of a heartbeat has an address of its own', () => {
  const heartbeat = { period: 2, periodUnit: 'hours', grace: 0, graceUnit: 'seconds', pingToken: crypto.randomUUID() }
  const copy = startOf(type, { id: crypto.randomUUID(), checkType: 'HEARTBEAT', name: 'Backup', heartbeat })
  expect(copy).toMatchObject({ name: 'Copy of Backup', heartbeat: { period: 2, periodUnit: 'hours' } })
  expect(valueAt(copy, 'heartbeat.pingToken')).toBeUndefined()
})
