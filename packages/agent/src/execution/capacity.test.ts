import { expect, it } from 'vitest'
import { Capacity } from './capacity.ts'

it.each([
  [1, 1],
  [4, 3],
  [4000, 2001],
])('of %i places, an agent is crowded from %i runs on', (limit, crowdedFrom) => {
  const capacity = new Capacity('network', limit)
  for (let runs = 1; runs < crowdedFrom; runs++) capacity.take()
  expect(capacity.isCrowded).toBe(false)
  capacity.take()
  expect(capacity.isCrowded).toBe(true)
  capacity.give()
  expect(capacity.isCrowded).toBe(false)
})
