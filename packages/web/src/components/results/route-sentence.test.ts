import type { Traceroute } from '@vedette/wire'
import { expect, test } from 'vitest'
import { routeSentence } from './route-sentence.ts'

const hop = (number: number): Traceroute['hops'][number] => ({
  hop_number: number,
  main_ip: `10.0.0.${number}`,
  other_ips: [],
  sent: 3,
  received: 3,
  loss_percentage: 0,
  rtt: null,
})
const route = (truncationReason: Traceroute['truncationReason'], totalHops: number, more = {}): Traceroute => ({
  hostname: 'shop.example',
  resolvedIp: '192.0.2.80',
  protocol: 'TCP',
  port: 443,
  startedAt: '2026-05-04T07:00:00.000Z',
  totalHops,
  destinationReached: truncationReason === 'destinationReached',
  truncationReason,
  hops: Array.from({ length: totalHops }, (_, index) => hop(index + 1)),
  ...more,
})

test.each([
  [
    route('destinationReached', 1),
    'TCP to shop.example (192.0.2.80), port 443: it answers after 1 hop, so that the network leads there.',
  ],
  [route('unreachable', 2), 'TCP to shop.example (192.0.2.80), port 443: 10.0.0.2 says that it leads no further.'],
  [
    route('maxUnknownHops', 0),
    'TCP to shop.example (192.0.2.80), port 443: nobody answers behind this agent. What is there is down, or drops such packets.',
  ],
  [
    route('maxHops', 30),
    'TCP to shop.example (192.0.2.80), port 443: not reached within 30 hops; the packets may go in a circle.',
  ],
  [route('timeout', 4), 'TCP to shop.example (192.0.2.80), port 443: not reached before time was up, 4 hops far.'],
  [
    route('timeout', 0, { hostname: '192.0.2.80', protocol: 'ICMP', port: null }),
    'ICMP to 192.0.2.80: not reached before time was up, 0 hops far.',
  ],
])('the way of $truncationReason is told in a sentence', (each, sentence) => {
  expect(routeSentence(each)).toBe(sentence)
})
