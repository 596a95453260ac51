import { checkTypeOf, checkTypes, createSchema, hasCommonField, valueAt } from '@vedette/checks'
import { expect, test } from 'vitest'
import { faultsOf } from './faults.ts'
import { startOf, withoutEmptyRows } from './start-of.ts'

/** What a person has to fill in. */
const awaited = /^(name|request\.(url|(sslConfig\.)?hostname|port|query)|codeBundlePath|prompt)$/

test.each(checkTypes.map((type) => [type.title, type] as const))(
  'the form of a new %s check lacks nothing but what only a person knows',
  (_, type) => {
    const start = startOf(type, undefined)
    const wrong = faultsOf(type, start, true).filter(({ path }) => !awaited.test(path))
    expect(wrong).toEqual([])
  },
)

test('what takes little time is watched every minute, other checks as often as the API has it', () => {
  const frequencyOf = (name: string) => {
    const type = checkTypeOf(name)
    if (type === undefined) throw new Error(`There is no type ${name}`)
    expect(hasCommonField(type, 'frequency')).toBe(true)
    return startOf(type, undefined)['frequency']
  }
  expect(['API', 'DNS', 'BROWSER', 'AGENTIC'].map(frequencyOf)).toEqual([1, 1, 10, 10])
})

test('rows of variables that were added and never filled in are not sent', () => {
  const type = checkTypeOf('BROWSER')
  if (type === undefined) throw new Error('There is no type BROWSER')
  const row = { key: '', value: '', locked: false, secret: true }
  const filled = { ...row, key: 'TOKEN' }
  const sent = withoutEmptyRows(type, { ...startOf(type, undefined), environmentVariables: [row, filled] })
  expect(sent['environmentVariables']).toEqual([filled])
})

const heartbeatType = checkTypeOf('HEARTBEAT')
if (heartbeatType === undefined) throw new Error('Heartbeats are built')

test('the form of a new heartbeat asks for a name alone', () => {
  const start = startOf(heartbeatType, undefined)
  expect(createSchema(heartbeatType).safeParse({ ...start, name: 'Backup' }).success).toBe(true)
  expect(valueAt(start, 'heartbeat.pingToken')).toBeUndefined()
})

test('the copy of a heartbeat has an address of its own', () => {
  const heartbeat = { period: 2, periodUnit: 'hours', grace: 0, graceUnit: 'seconds', pingToken: crypto.randomUUID() }
  const copy = startOf(heartbeatType, { id: crypto.randomUUID(), checkType: 'HEARTBEAT', name: 'Backup', heartbeat })
  expect(copy).toMatchObject({ name: 'Copy of Backup', heartbeat: { period: 2, periodUnit: 'hours' } })
  expect(valueAt(copy, 'heartbeat.pingToken')).toBeUndefined()
})
