import { expect, test } from 'vitest'
import { retryText } from './retry-text.ts'

const strategy = {
  type: 'FIXED',
  baseBackoffSeconds: 10,
  maxRetries: 3,
  maxDurationSeconds: 600,
  sameRegion: true,
} as const

test('what happens before a failure counts is said in a sentence', () => {
  expect(retryText({ retryStrategy: null, doubleCheck: false })).toBe('The first failure counts.')
  expect(retryText({ retryStrategy: strategy })).toBe(
    'It is tried again up to 3 times, after 10 s, at the same location, with the same pause each time.',
  )
  expect(retryText({ retryStrategy: null, doubleCheck: true })).toMatch(
    /^It is tried again once, .* another location\.$/,
  )
})
