import { expect, test } from 'vitest'
import { isWithin } from './form-context.ts'

test('a fault belongs to its field and to the fields around it, not to a field with a longer name', () => {
  expect(isWithin('request.assertions.0.target', 'request.assertions')).toBe(true)
  expect(isWithin('request.url', 'request.url')).toBe(true)
  expect(isWithin('request.urlencoded', 'request.url')).toBe(false)
  expect(isWithin(undefined, 'name')).toBe(false)
})
