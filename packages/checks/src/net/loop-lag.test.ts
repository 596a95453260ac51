import { describe, expect, it } from 'vitest'
import { createLoopLag } from './loop-lag.ts'

const burn = (ms: number) => {
  const endsAt = performance.now() + ms
  while (performance.now() < endsAt);
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('the watch over the event loop', () => {
  it('tells the longest stall of its time, not one before it', async () => {
    const lag = createLoopLag()
    const endFirst = lag.watch()
    await turn()
    burn(120)
    const endSecond = lag.watch()
    await turn()
    burn(45)
    const second = endSecond()
    const first = endFirst()
    expect(first).toBeGreaterThanOrEqual(120)
    expect(second).toBeGreaterThanOrEqual(45)
    expect(second).toBeLessThan(first)
  })

  it('starts afresh when nobody watched in between', async () => {
    const lag = createLoopLag()
    lag.watch()()
    burn(80)
    const end = lag.watch()
    await turn()
    expect(end()).toBeLessThan(60)
  })
})
