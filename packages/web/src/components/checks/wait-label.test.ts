import { expect, test } from 'vitest'
import { waitLabel } from './wait-label.ts'

test('a check that never ran and cannot is told apart from one that waits for its first run', () => {
  expect(waitLabel({ state: 'pending', notRunnable: 'No runner yet.' })).toBe('Cannot run')
  expect(waitLabel({ state: 'pending', notRunnable: null })).toBeUndefined()
  expect(waitLabel({ state: 'paused', notRunnable: 'No runner yet.' })).toBeUndefined()
})
