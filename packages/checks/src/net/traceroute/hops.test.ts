import { expect, test } from 'vitest'
import type { Answer } from '../packets/answer.ts'
import { extentOf, hopOf, mostUnknown } from './hops.ts'

const target = '192.0.2.80'
const router = (from: string, rttMs = 1): Answer => ({ kind: 'expired', from, rttMs })
const reply = (rttMs = 9): Answer => ({ kind: 'reply', rttMs, ttl: null })
const silence: Answer = { kind: 'silence' }
const unreachable: Answer = { kind: 'unreachable', from: '192.0.2.1', rttMs: 2 }

const way = (...steps: Answer[][]) => steps.map((answers, index) => ({ ttl: index + 1, answers }))

test('a hop counts what was sent, lost and heard, and by whom', () => {
  const answers = [router('192.0.2.7', 3), router('192.0.2.8', 1), silence, router('192.0.2.7', 2)]
  expect(hopOf({ ttl: 4, answers }, target)).toEqual({
    hop_number: 4,
    main_ip: '192.0.2.7',
    other_ips: ['192.0.2.8'],
    sent: 4,
    received: 3,
    loss_percentage: 25,
    rtt: { last_ms: 2, avg_ms: 2, best_ms: 1, worst_ms: 3, stddev_ms: 0.816 },
  })
})

test.each([
  ['the target answers', way([router('192.0.2.1')], [silence], [reply()]), 'destinationReached', 3],
  [
    'the target answers packets that could go further',
    way([router('192.0.2.1')], [reply()], [reply()]),
    'destinationReached',
    2,
  ],
  ['a router leads no further', way([router('192.0.2.1')], [unreachable, silence], [silence]), 'unreachable', 2],
  ['only some of its packets are refused', way([unreachable, router('192.0.2.1')]), 'maxHops', 1],
  [
    'nobody answers any more',
    way([router('192.0.2.1')], ...Array<Answer[]>(mostUnknown).fill([silence])),
    'maxUnknownHops',
    1,
  ],
  ['nobody answers at all', way(...Array<Answer[]>(mostUnknown).fill([silence])), 'maxUnknownHops', 0],
  ['no packet leaves for a step', way([router('192.0.2.1')], []), 'maxHops', 1],
])('a way on which %s', (_, steps, truncationReason, totalHops) => {
  const extent = extentOf(steps, target, 'maxHops')
  expect(extent).toMatchObject({
    truncationReason,
    totalHops,
    destinationReached: truncationReason === 'destinationReached',
  })
  expect(extent.hops).toHaveLength(totalHops)
})
