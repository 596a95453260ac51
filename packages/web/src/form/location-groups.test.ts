import { expect, test } from 'vitest'
import { locationGroups } from './location-groups.ts'

const builtin = { kind: 'builtin', state: 'online', locations: ['a', 'b', 'c'] } as const
const agent = (state: 'online' | 'silent', ...locations: string[]) =>
  ({ kind: 'data-center', state, locations }) as const
const told = (...args: Parameters<typeof locationGroups>) =>
  locationGroups(...args).map(({ title, members, isFolded }) => [title, members.join(' '), isFolded])

test('with the built-in agent alone, every region is told as emulated', () => {
  expect(told(['a', 'b', 'c'], [{ ...builtin, locations: [...builtin.locations] }], [])).toEqual([
    ['This server, emulated', 'a b c', false],
  ])
})

test('a region with an agent comes first, and one whose agent is silent says so', () => {
  const agents = [builtin, agent('online', 'b'), agent('silent', 'c')].map((each) => ({
    ...each,
    locations: [...each.locations],
  }))
  expect(told(['a', 'b', 'c'], agents, [])).toEqual([
    ['With an agent of their own', 'b', false],
    ['Agent is silent', 'c', false],
    ['This server, emulated', 'a', true],
  ])
  expect(told(['a', 'b'], [{ ...builtin, locations: ['a'] }, ...agents.slice(1, 2)], ['a']).at(-1)).toEqual([
    'This server, emulated',
    'a',
    false,
  ])
})

test('a region whose key no agent has used is not told as emulated', () => {
  expect(told(['a', 'd'], [{ ...builtin, locations: ['a'] }], [])).toEqual([
    ['No agent has come yet', 'd', false],
    ['This server, emulated', 'a', false],
  ])
})

test('agents of private locations say nothing of regions', () => {
  const agents = [builtin, { kind: 'private', state: 'online', locations: ['office'] } as const].map((each) => ({
    ...each,
    locations: [...each.locations],
  }))
  expect(told(['a'], agents, [])).toEqual([['This server, emulated', 'a', false]])
})
