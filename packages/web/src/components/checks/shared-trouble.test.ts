import { expect, test } from 'vitest'
import { sharedTrouble } from './shared-trouble.ts'

const now = Date.UTC(2026, 0, 1)
const failing = (host: string, failingLocations: string[], locationCount = 2, forSeconds = 600) =>
  ({
    state: 'failing',
    stateSince: new Date(now - forSeconds * 1000).toISOString(),
    host,
    failingLocations,
    locationCount,
    periodMs: 60_000,
  }) as const
const both = ['eu-west-1', 'us-east-1']

test('failing checks of one host are told together', () => {
  const items = [failing('shop', both), failing('shop', both), failing('blog', both)]
  expect(sharedTrouble(items, now)).toEqual([
    { text: '2 checks fail at the same host, shop', view: { host: 'shop', state: 'failing' } },
  ])
})

test('checks that fail from one of several locations only point at that location', () => {
  const items = [failing('shop', ['eu-west-1']), failing('blog', ['eu-west-1']), failing('wiki', both)]
  expect(sharedTrouble(items, now)).toEqual([
    { text: '2 checks fail from one location only, eu-west-1', view: undefined },
  ])
})

test('while the other locations have not had their turn, nothing is said of them', () => {
  const items = [failing('shop', ['eu-west-1'], 2, 60), failing('blog', ['eu-west-1'], 2, 60)]
  expect(sharedTrouble(items, now)).toEqual([])
})

test('checks with a single location, single failures and passing checks share nothing', () => {
  const items = [
    failing('shop', ['eu-west-1'], 1),
    failing('blog', ['eu-west-1'], 1),
    { ...failing('shop', []), state: 'passing' as const },
  ]
  expect(sharedTrouble(items, now)).toEqual([])
})
