import { expect, test } from 'vitest'
import { plannedCheck } from './agent-plan.ts'

const check = {
  checkId: '7b1c3a52-4f0e-4d52-9d0e-0a1b2c3d4e5f',
  revision: 3,
  frequency: 0,
  frequencyOffset: 10,
  every: 1,
  turn: 0,
  from: 0,
  until: 1000,
  location: 'eu-west-1',
  type: 'API',
  workerClass: 'network',
  token: 'p1.claims.signature',
  sealed: 'sealed',
}

test('a planned check without time between its slots is none', () => {
  expect(plannedCheck.safeParse(check).error).toBeUndefined()
  expect(plannedCheck.safeParse({ ...check, frequencyOffset: 0 }).success).toBe(false)
  expect(plannedCheck.safeParse({ ...check, frequency: 1, frequencyOffset: 0 }).success).toBe(true)
})
