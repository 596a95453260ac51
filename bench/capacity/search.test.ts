import fc from 'fast-check'
import { expect, it } from 'vitest'
import { greatestThatHolds } from './search.ts'

/** Searches where numbers up to a limit hold. */
async function search(limit: number, bounds = { from: 1000, to: 12_000, step: 500 }) {
  const asked: number[] = []
  const holds = async (number: number) => {
    asked.push(number)
    return number <= limit
  }
  return { held: await greatestThatHolds(holds, bounds), asked }
}

it('doubles while numbers hold, then halves the range in which they stop to hold', async () => {
  expect(await search(6700)).toEqual({ held: 6500, asked: [1000, 2000, 4000, 8000, 6000, 7000, 6500] })
})

it('ends at the upper bound when that holds', async () => {
  expect(await search(50_000)).toEqual({ held: 12_000, asked: [1000, 2000, 4000, 8000, 12_000] })
})

it('looks below the lower bound when that does not hold, down to one step', async () => {
  expect(await search(600)).toEqual({ held: 500, asked: [1000, 500] })
  expect(await search(0)).toEqual({ held: 0, asked: [1000, 500] })
})

it('ends with what it knows when it has to', async () => {
  const asked: number[] = []
  const holds = async (number: number) => asked.push(number) < 4
  const bounds = { from: 1000, to: 12_000, step: 500, isOver: () => asked.length === 2 }
  expect(await greatestThatHolds(holds, bounds)).toBe(2000)
})

it('finds the limit up to a step, whatever it is, and asks for no number twice', async () => {
  const bounds = fc.record({
    from: fc.integer({ min: 100, max: 3000 }),
    more: fc.nat(9000),
    step: fc.integer({ min: 50, max: 1000 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.nat(15_000), bounds, async (limit, { from, more, step }) => {
      const { held, asked } = await search(limit, { from, to: from + more, step })
      expect(held).toBeLessThanOrEqual(limit)
      expect(held === from + more || limit - held < 2 * step).toBe(true)
      expect(new Set(asked).size).toBe(asked.length)
    }),
  )
})
