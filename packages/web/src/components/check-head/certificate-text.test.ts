import { expect, test } from 'vitest'
import { certificateText, endsSoon } from './certificate-text.ts'

test.each([
  [12, '12 days left'],
  [1, '1 day left'],
  [0, 'Less than a day left'],
  [-1, 'Expired'],
])('of a certificate with %i days: %s', (daysRemaining, text) => {
  expect(certificateText({ daysRemaining })).toBe(text)
})

test('a certificate is warned of from the day on that alerts tell of it, and from the usual one where none does', () => {
  expect(endsSoon({ daysRemaining: 14, alertFromDays: 14 })).toBe(true)
  expect(endsSoon({ daysRemaining: 15, alertFromDays: 14 })).toBe(false)
  expect(endsSoon({ daysRemaining: 30, alertFromDays: null })).toBe(true)
  expect(endsSoon({ daysRemaining: 31, alertFromDays: null })).toBe(false)
})
