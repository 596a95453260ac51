import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  assignedFrequencyOffset,
  dueAt,
  frequencyOffsetBounds,
  hash32,
  intervalMs,
  isFrequencyOffset,
  phaseMs,
  locationsOfSlot,
  slotAtOrAfter,
  slotAtOrBefore,
} from './due.ts'
import { frequencies } from './enums.ts'

const aSchedule = fc
  .record({ checkId: fc.uuid(), frequency: fc.constantFrom(...frequencies), pick: fc.nat(100_000) })
  .map(({ checkId, frequency, pick }) => {
    const bounds = frequencyOffsetBounds(frequency)
    const offset =
      'values' in bounds
        ? (bounds.values[pick % bounds.values.length] ?? 10)
        : bounds.min + (pick % (bounds.max - bounds.min + 1))
    return { checkId, frequency, frequencyOffset: offset }
  })
const aTime = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2040, 0, 1) })

describe('due times', () => {
  it('come one interval after the other, each inside its own interval of the epoch', () => {
    fc.assert(
      fc.property(aSchedule, fc.nat(1_000_000), (schedule, n) => {
        const interval = intervalMs(schedule)
        expect(dueAt(schedule, n + 1) - dueAt(schedule, n)).toBe(interval)
        expect(Math.floor(dueAt(schedule, n) / interval)).toBe(n)
        expect(phaseMs(schedule)).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  it('are found from any time: the last one not after it, the first one not before it', () => {
    fc.assert(
      fc.property(aSchedule, aTime, (schedule, at) => {
        const before = slotAtOrBefore(schedule, at)
        expect(dueAt(schedule, before)).toBeLessThanOrEqual(at)
        expect(dueAt(schedule, before + 1)).toBeGreaterThan(at)
        const after = slotAtOrAfter(schedule, at)
        expect(dueAt(schedule, after)).toBeGreaterThanOrEqual(at)
        expect(dueAt(schedule, after - 1)).toBeLessThan(at)
      }),
    )
  })

  it('are each visited exactly once by spans that follow one another, wherever the cuts are', () => {
    fc.assert(
      fc.property(
        aSchedule,
        aTime,
        fc.array(fc.nat(3_000_000), { minLength: 1, maxLength: 20 }),
        (schedule, at, spans) => {
          const seen: number[] = []
          let from = at
          for (const span of spans) {
            const to = from + span
            for (let n = slotAtOrAfter(schedule, from); dueAt(schedule, n) < to; n++) seen.push(n)
            from = to
          }
          const all: number[] = []
          for (let n = slotAtOrAfter(schedule, at); dueAt(schedule, n) < from; n++) all.push(n)
          expect(seen).toEqual(all)
        },
      ),
    )
  })

  it('move with the offset: by seconds up to an hour, by minutes above, not at all below a minute', () => {
    const checkId = '7b0a3f0c-6f0e-4c52-a2a4-3f1c7a0b8d11'
    const shift = (frequency: number, to: number) => {
      const interval = intervalMs({ frequency, frequencyOffset: to })
      const base = hash32(checkId) % interval
      return (phaseMs({ checkId, frequency, frequencyOffset: to }) - base + interval) % interval
    }
    expect(shift(1, 7)).toBe(7000)
    expect(shift(60, 600)).toBe(600_000)
    expect(shift(120, 2)).toBe(120_000)
    expect(shift(1440, 24)).toBe(1_440_000)
    expect([10, 20, 30].map((offset) => shift(0, offset))).toEqual([0, 0, 0])
  })

  it('stay where they are from one version of the program to the next', () => {
    const checkId = '7b0a3f0c-6f0e-4c52-a2a4-3f1c7a0b8d11'
    expect(['', 'a', checkId, 'é€'].map(hash32)).toEqual([2872998923, 444641715, 3138596011, 2451746111])
    expect(phaseMs({ checkId, frequency: 5, frequencyOffset: 3 })).toBe(299_011)
    expect(phaseMs({ checkId, frequency: 0, frequencyOffset: 30 })).toBe(26_011)
    const assigned = [0, 1, 5, 60, 120, 1440].map((frequency) => assignedFrequencyOffset(checkId, frequency))
    expect(assigned).toEqual([10, 10, 40, 340, 2, 4])
  })

  it('spread over the interval by the check’s id', () => {
    const buckets = Array.from({ length: 60 }, () => 0)
    for (let i = 0; i < 60_000; i++) {
      const phase = phaseMs({ checkId: `check-${i}`, frequency: 1, frequencyOffset: 1 })
      buckets[Math.floor(phase / 1000)]! += 1
    }
    expect(Math.max(...buckets)).toBeLessThan(1200)
    expect(Math.min(...buckets)).toBeGreaterThan(800)
  })
})

describe('locations', () => {
  it('take turns in their order, none more often than another', () => {
    const list = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 25 })
    fc.assert(
      fc.property(list, fc.integer({ min: -1000, max: 1_000_000_000 }), (locations, slot) => {
        const turn = locations.map((_, i) => locationsOfSlot({ locations, runParallel: false }, slot + i))
        expect(turn.every((locations) => locations.length === 1)).toBe(true)
        expect(new Set(turn.flat())).toEqual(new Set(locations))
        const next = locationsOfSlot({ locations, runParallel: false }, slot + 1)[0] ?? ''
        const here = turn[0]?.[0] ?? ''
        expect(locations.indexOf(next)).toBe((locations.indexOf(here) + 1) % locations.length)
      }),
    )
  })

  it('are all of them when the check runs in parallel, and none when it has none', () => {
    expect(locationsOfSlot({ locations: ['a', 'b'], runParallel: true }, 7)).toEqual(['a', 'b'])
    expect(locationsOfSlot({ locations: [], runParallel: false }, 7)).toEqual([])
  })
})

describe('offsets', () => {
  it('that are assigned fit the frequency and stay what they are', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.constantFrom(...frequencies), (checkId, frequency) => {
        const offset = assignedFrequencyOffset(checkId, frequency)
        expect(isFrequencyOffset(frequency, offset)).toBe(true)
        expect(assignedFrequencyOffset(checkId, frequency)).toBe(offset)
      }),
    )
  })

  it('that are assigned use every value there is', () => {
    for (const frequency of [0, 1, 120]) {
      const offsets = Array.from({ length: 300 }, (_, i) => assignedFrequencyOffset(`check-${i}`, frequency))
      const bounds = frequencyOffsetBounds(frequency)
      expect(new Set(offsets).size).toBe('values' in bounds ? bounds.values.length : bounds.max)
    }
  })

  it.each([
    [0, 10, true],
    [0, 15, false],
    [1, 10, true],
    [1, 11, false],
    [10, 100, true],
    [60, 600, true],
    [60, 601, false],
    [120, 2, true],
    [120, 3, false],
    [1440, 24, true],
    [1440, 25, false],
    [5, 0, false],
    [5, 1.5, false],
  ])('frequency %i and offset %d: %s', (frequency, offset, expected) => {
    expect(isFrequencyOffset(frequency, offset)).toBe(expected)
  })
})
