import { expect, test } from 'vitest'
import { isEmulated } from './emulated.ts'

const agents = [
  { kind: 'builtin', locations: ['eu-west-1', 'us-east-1'] },
  { kind: 'data-center', locations: ['us-east-1'] },
] as const
const known = agents.map((agent) => ({ ...agent, locations: [...agent.locations] }))

test('a region is emulated until an agent of its own serves it; a private location never is', () => {
  expect(isEmulated('eu-west-1', known)).toBe(true)
  expect(isEmulated('us-east-1', known)).toBe(false)
  expect(isEmulated('office', known)).toBe(false)
})

test('a region that waits for the agent of its key is not emulated: nothing runs there', () => {
  expect(isEmulated('eu-west-3', known)).toBe(false)
})
