import { expect, test } from 'vitest'
import { variableLevels, variablesInForce } from './job-variables.ts'

const set = (value: string, ...keys: string[]) => keys.map((key) => ({ key, value }))

test('of a name that several levels set, the check wins over the group, the group over the account, that over built-in', () => {
  const levels = {
    builtIn: set('builtIn', 'A', 'B', 'C', 'D'),
    account: set('account', 'B', 'C', 'D'),
    group: set('group', 'C', 'D'),
    check: set('check', 'D'),
  }
  expect(variablesInForce(levels)).toEqual([
    { key: 'A', value: 'builtIn' },
    { key: 'B', value: 'account' },
    { key: 'C', value: 'group' },
    { key: 'D', value: 'check' },
  ])
  expect(variableLevels).toEqual(Object.keys(levels))
})

test('levels that set nothing hide nothing', () => {
  expect(variablesInForce({ account: set('account', 'A'), group: [] })).toEqual([{ key: 'A', value: 'account' }])
})
