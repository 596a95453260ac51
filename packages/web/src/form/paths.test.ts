import { expect, test } from 'vitest'
import { isWithin } from './form-context.ts'
import { valueAt, withValueAt } from './paths.ts'

test('a dotted path reads what is there, and undefined where nothing is', () => {
  const whole = { request: { url: 'x', basicAuth: null } }
  expect(valueAt(whole, 'request.url')).toBe('x')
  expect(valueAt(whole, 'request.basicAuth.username')).toBeUndefined()
  expect(valueAt(whole, 'nothing.at.all')).toBeUndefined()
})

test('writing changes a copy, leaves the rest as it was and makes what is missing', () => {
  const whole = { name: 'Shop', request: { url: 'x', method: 'GET' } }
  expect(withValueAt(whole, 'request.url', 'y')).toEqual({ name: 'Shop', request: { url: 'y', method: 'GET' } })
  expect(whole.request.url).toBe('x')
  expect(withValueAt<unknown>({}, 'config.name', 'bot')).toEqual({ config: { name: 'bot' } })
})

test('a fault belongs to its field and to the fields around it, not to a field with a longer name', () => {
  expect(isWithin('request.assertions.0.target', 'request.assertions')).toBe(true)
  expect(isWithin('request.url', 'request.url')).toBe(true)
  expect(isWithin('request.urlencoded', 'request.url')).toBe(false)
  expect(isWithin(undefined, 'name')).toBe(false)
})
