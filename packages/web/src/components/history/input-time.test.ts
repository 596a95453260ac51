import { expect, test } from 'vitest'
import { fromInput, toInput } from './input-time.ts'

test.each([true, false])('a time comes back from the field as it went in (UTC: %s)', (utc) => {
  const at = Date.UTC(2026, 6, 1, 22, 30) / 1000
  expect(fromInput(toInput(at, utc), utc)).toBe(at)
})

test('in UTC the field shows UTC', () => {
  expect(toInput(Date.UTC(2026, 6, 1, 22, 30) / 1000, true)).toBe('2026-07-01T22:30')
})

test('half a time is none', () => {
  expect(fromInput('', true)).toBeUndefined()
  expect(fromInput('nonsense', false)).toBeUndefined()
})
