import { describe, expect, test } from 'vitest'
import { historyRange, partsOf } from './history-range.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const now = Date.UTC(2026, 0, 5, 12, 0, 7)

describe('the range of a history', () => {
  test('is the last day when nothing is sent', () => {
    expect(historyRange({}, now)).toEqual({ from: now - day, to: now, bucketMs: 5 * minute })
    expect(historyRange({ from: now - hour }, now)).toMatchObject({ from: now - hour, to: now })
  })

  test.each([
    [5 * minute, 10_000],
    [hour, 30_000],
    [6 * hour, 2 * minute],
    [7 * day, hour],
    [8 * day, hour],
  ])('of %i ms has at most three hundred buckets, of %i ms', (length, bucketMs) => {
    expect(historyRange({ from: now - length, to: now }, now).bucketMs).toBe(bucketMs)
  })

  test('is refused when it is empty or longer than eight days', () => {
    expect(() => historyRange({ from: now, to: now }, now)).toThrow('must be before "to"')
    expect(() => historyRange({ from: now - 8 * day - 1, to: now }, now)).toThrow('at most 8 days before "to"')
  })
})

describe('the parts of a range', () => {
  test('cover it without a gap and divide no bucket', () => {
    const range = { from: now - 7 * day, to: now, bucketMs: hour }
    const parts = partsOf(range, 20 / 10_000)
    expect(parts[0]?.from).toBe(range.from)
    expect(parts.at(-1)?.to).toBe(now)
    for (const [index, part] of parts.slice(1).entries()) {
      expect(part.from).toBe(parts[index]?.to)
      expect(part.from % hour).toBe(0)
    }
  })

  test('have about five thousand runs and are at most a day', () => {
    const range = { from: now - 8 * day, to: now, bucketMs: minute }
    expect(partsOf(range, 1 / 1000).map(({ from, to }) => to - from)[1]).toBe(83 * minute)
    expect(partsOf(range, 1 / hour)).toHaveLength(9)
    expect(partsOf({ from: now - 10, to: now, bucketMs: hour }, 1000)).toEqual([{ from: now - 10, to: now }])
  })
})
