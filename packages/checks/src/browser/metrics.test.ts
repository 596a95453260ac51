import { expect, test } from 'vitest'
import { browserMetrics } from './metrics.ts'
import { goodEvidence } from './contract.fixture.ts'

const read = (name: string, evidence = goodEvidence) =>
  browserMetrics.find((each) => each.name === name)?.read(evidence)

test('web vitals are those of the page that did worst', () => {
  const [page] = goodEvidence.pages
  if (page === undefined) throw new Error('The fixture has a page')
  const slow = { ...page, webVitals: { ...page.webVitals, LCP: { score: 'POOR' as const, value: 4100 }, CLS: null } }
  const evidence = { ...goodEvidence, pages: [page, slow] }
  expect([read('LCP', evidence), read('CLS', evidence), read('TTFB', evidence)]).toEqual([4100, 0.01, 120])
  expect(read('LCP', { ...goodEvidence, pages: [] })).toBeNull()
})

test('a script that did not run took no time', () => {
  expect(read('responseTime')).toBe(2500)
  expect(read('responseTime', { ...goodEvidence, startTime: null, endTime: null })).toBeNull()
})
