import { expect, test } from 'vitest'
import { valueAt, withValueAt } from './value-at.ts'

test('a dotted path reads what is there, and undefined where nothing is', () => {
  const whole = { request: { url: 'x', basicAuth: null } }
  expect(valueAt(whole, 'request.url')).toBe('x')
  expect(valueAt(whole, 'request.basicAuth.username')).toBeUndefined()
  expect(valueAt(whole, 'nothing.at.all')).toBeUndefined()
  expect(valueAt({ list: [{ a: 1 }] }, 'list.0.a')).toBe(1)
  expect(valueAt(whole, 'constructor.name')).toBeUndefined()
})

test('writing changes a copy, leaves the rest as it was and makes what is missing', () => {
  const whole = { name: 'Shop', request: { url: 'x', method: 'GET' } }
  expect(withValueAt(whole, 'request.url', 'y')).toEqual({ name: 'Shop', request: { url: 'y', method: 'GET' } })
  expect(whole.request.url).toBe('x')
  expect(withValueAt<unknown>({}, 'config.name', 'bot')).toEqual({ config: { name: 'bot' } })
})
