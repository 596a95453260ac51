import { describe, expect, test } from 'vitest'
import { historyDigest } from './digest.ts'

const minute = 60_000

/** Runs of a location a minute apart: one letter each. */
const runs = (outcomes: string, { from = 0, location = 'eu-west-1', ms = 10 }: Partial<Given> = {}) => ({
  location,
  at: Array.from(outcomes, (_, index) => (from + index) * 60),
  ms: Array.from(outcomes, (outcome) => (outcome === 'u' ? null : ms)),
  outcomes,
  retried: 0,
})
interface Given {
  /** Minute of the first. */
  from: number
  location: string
  ms: number
}

const stretchesOf = (outcomes: string, bucketMs = minute) => {
  const digest = historyDigest(bucketMs)
  digest.take([runs(outcomes)], 0)
  return digest.locations()[0]?.stretches.map(({ kind, from, to }) => `${kind} ${from / minute}-${to / minute}`)
}

describe('a stretch of trouble', () => {
  test.each([
    ['ppp', []],
    ['pffp', ['failing 1-3']],
    ['pdfp', ['degraded 1-2', 'failing 2-3']],
    ['pffu', ['failing 1-2']],
    ['pfufp', ['failing 1-4']],
    ['pfupp', ['failing 1-3']],
    ['f', ['failing 0-0']],
    ['fpf', ['failing 0-1', 'failing 2-2']],
  ])('%s: %j', (outcomes, expected) => {
    expect(stretchesOf(outcomes)).toEqual(expected)
  })

  test('is one with the next when less than a bucket is between them', () => {
    expect(stretchesOf('fppfpppppf', 4 * minute)).toEqual(['failing 0-4', 'failing 9-9'])
    expect(stretchesOf('fdf', 4 * minute)).toEqual(['degraded 1-2', 'failing 0-2'])
  })

  test('goes on in the next part of the range', () => {
    const digest = historyDigest(minute)
    digest.take([runs('pf')], 0)
    digest.take([runs('fp')], 2 * minute)
    expect(digest.locations()[0]?.stretches).toEqual([{ kind: 'failing', from: minute, to: 3 * minute }])
  })
})

describe('the numbers of a history', () => {
  test('have percentiles of the runs themselves, whatever their order', () => {
    const digest = historyDigest(10 * minute)
    const location = { location: 'eu-west-1', outcomes: 'pppppppppp', retried: 3 }
    digest.take([{ ...location, at: [9, 8, 7, 6, 5, 4, 3, 2, 1, 0], ms: [1, 2, 3, 4, 5, 6, 7, 8, 9, null] }], 0)
    digest.take([runs('f', { ms: 1000, location: 'us-east-1' })], 0)
    expect(digest.summary()).toMatchObject({ runs: 11, passed: 10, failed: 1, retried: 3, p50: 5, p95: 1000 })
    expect(digest.locations()[0]?.buckets).toEqual([
      { at: 0, runs: 10, failed: 0, degraded: 0, unknown: 0, p50: 5, p95: 9, max: 9 },
    ])
  })

  test('count what is not known in neither part of the uptime', () => {
    const digest = historyDigest(minute)
    digest.take([runs('pdfuu')], 0)
    expect(digest.summary()).toMatchObject({ runs: 5, passed: 1, degraded: 1, failed: 1, unknown: 2, uptime: 2 / 3 })
    expect(historyDigest(minute).summary()).toMatchObject({ runs: 0, uptime: null, p50: null, p95: null })
  })
})
