import { describe, expect, test } from 'vitest'
import { notWatched, type WatchedBy } from './not-watched.ts'
import type { Gap } from './store.ts'

const gap: Gap = { location: null, from: 1000, to: 2000, reason: 'The server was not running.' }
const range = { from: 0, to: 5000 }
const one: WatchedBy = { locations: ['office'], runParallel: false, periodMs: 100 }
const every = (from: number, to: number, step = 100) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, nth) => from + nth * step)
const left = (runs: Record<string, number[]>, by = one, of: Gap = gap) =>
  notWatched([of], new Map(Object.entries(runs)), by, { ...range, bucketMs: 1 }).map(({ location, from, to }) => [
    location,
    from,
    to,
  ])

describe('a gap', () => {
  test('without runs stays as it is', () => {
    expect(left({})).toEqual([[null, 1000, 2000]])
    expect(left({ office: [800, 900, 2001] })).toEqual([[null, 1000, 2000]])
  })

  test('is none where every slot was run', () => {
    expect(left({ office: every(950, 1950) })).toEqual([])
  })

  test('lasts where slots are missing', () => {
    expect(left({ office: every(1050, 1950).filter((at) => at < 1400 || at > 1600) })).toEqual([
      [null, 1000, 1050],
      [null, 1450, 1650],
    ])
  })

  test('of a check that runs at one location after the other is covered by any of them', () => {
    const by = { ...one, locations: ['office', 'ship'] }
    expect(left({ office: every(950, 1950, 200), ship: every(1050, 1950, 200) }, by)).toEqual([])
    expect(left({ office: [950, 1150] }, by)).toEqual([
      [null, 1050, 1150],
      [null, 1250, 2000],
    ])
  })

  test('of a parallel check is one of the locations that were not watched', () => {
    const by = { ...one, locations: ['office', 'ship'], runParallel: true }
    expect(left({ office: every(950, 1950) }, by)).toEqual([['ship', 1000, 2000]])
    expect(left({}, by)).toEqual([[null, 1000, 2000]])
  })

  test('of a location is covered by runs there alone, when the check is parallel', () => {
    const by = { ...one, locations: ['office', 'ship'], runParallel: true }
    const ofShip = { ...gap, location: 'ship' }
    expect(left({ office: every(950, 1950) }, by, ofShip)).toEqual([['ship', 1000, 2000]])
    expect(left({ ship: every(950, 1950) }, by, ofShip)).toEqual([])
  })

  test('is cut to the range, whose beginning may be covered by a run before it', () => {
    const within = (from: number, to: number, times: number[] = []) =>
      notWatched([gap], new Map([['office', times]]), one, { from, to, bucketMs: 1 }).map((part) => [
        part.from,
        part.to,
      ])
    expect(within(1500, 1800)).toEqual([[1500, 1800]])
    expect(within(1500, 1800, every(1550, 1750))).toEqual([])
    expect(within(1500, 1800, every(1650, 1750))).toEqual([[1500, 1650]])
  })

  test('is one where its parts are close together', () => {
    const runs = new Map([['office', every(950, 1950, 200)]])
    expect(notWatched([gap], runs, one, { ...range, bucketMs: 150 })).toMatchObject([{ from: 1050, to: 1950 }])
    expect(notWatched([gap], runs, one, { ...range, bucketMs: 50 })).toHaveLength(5)
  })
})
