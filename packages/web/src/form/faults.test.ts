import { checkTypes } from '@vedette/checks'
import { expect, test } from 'vitest'
import { faultsOf, faultsSentence, ofTouched } from './faults.ts'
import { startOf, withoutEmptyRows } from './start-of.ts'

const api = checkTypes.find(({ type }) => type === 'API')
if (!api) throw new Error('There is no API check type')
const start = startOf(api, undefined)

test('a new form says what it lacks, all at once', () => {
  const faults = faultsOf(api, start, true)
  expect(faults.map(({ path }) => path)).toEqual(['name', 'request.url'])
  expect(faultsSentence(api, faults)).toBe('2 fields need a correction: Name, URL.')
})

test('what is whole has no faults', () => {
  const whole = { ...start, name: 'Shop', request: { ...(start['request'] as object), url: 'https://shop.example/' } }
  expect(faultsOf(api, whole, true)).toEqual([])
  expect(faultsOf(api, whole, false)).toEqual([])
})

test('rules between fields are told before anything is sent, also to a form without a name', () => {
  const request = {
    ...(start['request'] as object),
    url: 'ftp://shop.example/',
    headers: [{ key: 'a b', value: '1', locked: false }],
  }
  for (const isNew of [true, false])
    expect(faultsOf(api, { ...start, request }, isNew).map(({ path }) => path)).toEqual([
      'name',
      'request.url',
      'request.headers.0.key',
    ])
})

test('a fault within a list is told under the label of the list, one of a shared field in words', () => {
  const paths = ['request.headers.0.key', 'request.headers.3.key', 'retryStrategy.maxRetries']
  const faults = paths.map((path) => ({ path, message: 'is wrong' }))
  expect(faultsSentence(api, faults)).toBe('2 fields need a correction: Headers, Retry strategy.')
})

test('rows that nobody filled in are neither faults nor sent', () => {
  const empty = { key: ' ', value: '', locked: false }
  const rows = [empty, { key: 'x-team', value: '', locked: false }, { key: '', value: 'lost?', locked: false }, empty]
  const request = { ...(start['request'] as object), url: 'https://shop.example/', headers: rows, queryParameters: [] }
  const sent = withoutEmptyRows(api, { ...start, name: 'Shop', request })
  expect(sent).toMatchObject({ name: 'Shop', request: { headers: rows.slice(1, 3), queryParameters: [] } })
  expect(faultsOf(api, sent, true).map(({ path }) => path)).toEqual(['request.headers.1.key'])
})

test('fields that nobody has been at do not complain', () => {
  const faults = faultsOf(api, start, true)
  expect(ofTouched(faults, new Set(['request.url']))).toMatchObject([{ path: 'request.url' }])
  expect(ofTouched(faults, new Set(['request']))).toMatchObject([{ path: 'request.url' }])
  expect(ofTouched(faults, new Set())).toEqual([])
})
