import { expect, it } from 'vitest'
import { inBatches } from './in-batches.ts'

/** Work that ends when it is told to, one batch after the other. */
function held() {
  const batches: number[][] = []
  const ends: (() => void)[] = []
  const work = async (batch: readonly number[]) => {
    batches.push([...batch])
    await new Promise<void>((resolve) => ends.push(resolve))
    if (batch.includes(13)) throw new Error('not this one')
    return batch.map((one) => one * 10)
  }
  const end = async () => {
    ends.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { batches, work, end }
}

it('begins at once, and takes what came meanwhile together, each with its own answer', async () => {
  const { batches, work, end } = held()
  const ask = inBatches(3, work)
  const answers = Promise.all([1, 2, 3, 4, 5].map((one) => ask(one)))
  expect(batches).toEqual([[1]])
  for (let n = 0; n < 3; n++) await end()
  expect(batches).toEqual([[1], [2, 3, 4], [5]])
  expect(await answers).toEqual([10, 20, 30, 40, 50])
  const later = ask(6)
  expect(batches.at(-1)).toEqual([6])
  await end()
  expect(await later).toBe(60)
})

it('a batch that fails, fails for all in it and for no other', async () => {
  const { work, end } = held()
  const ask = inBatches(2, work)
  const answers = Promise.allSettled([1, 13, 2, 3].map((one) => ask(one)))
  for (let n = 0; n < 3; n++) await end()
  expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
})
