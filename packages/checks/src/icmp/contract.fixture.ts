import type { Behaviour } from '../../test-support/contract.ts'
import type { Answer } from '../net/packets/answer.ts'
import type { IcmpEvidence } from './evidence.ts'
import { pingWithPackets } from './ping-with-packets.ts'
import { createIcmpRun } from './run.ts'

/** The smallest check a user can send. For the suite over all check types. */
export const leastCheck = (_: number, host = '127.0.0.1') => ({
  name: 'least',
  request: { hostname: host, pingCount: 2 },
})

/** Pings have neither a text nor a status code. */
export const goodAnswer = { text: '', statusCode: null }

/** This machine answers pings. Nothing on it refuses them or keeps silent, so that then a program of ours says so. */
export const startTarget = (behaviour: Behaviour) => {
  const target = { port: 0, named: '127.0.0.1', close: () => Promise.resolve() }
  if (behaviour === 'well') return Promise.resolve(target)
  const refusal: Answer = { kind: 'unreachable', from: '127.0.0.1' }
  const sender = {
    send(_: unknown, settle: (answer: Answer) => void) {
      if (behaviour === 'refuses') queueMicrotask(() => settle(refusal))
      return { sentAt: performance.now(), forget: () => undefined }
    },
    reported: () => Promise.resolve(),
  }
  const run = createIcmpRun({ ping: (order, deadline) => pingWithPackets(sender, order, deadline) })
  return Promise.resolve({ ...target, run })
}

/** What a run sees when all is well. */
export const goodEvidence: IcmpEvidence = {
  request: { hostname: '127.0.0.1', pingCount: 2, ipFamily: 'IPv4' },
  response: {
    hostname: '127.0.0.1',
    resolvedIp: '127.0.0.1',
    ipFamily: 'IPv4',
    pingCount: 2,
    packetsSent: 2,
    packetsReceived: 2,
    packetSize: 64,
    packetLoss: 0,
    latency: { avg: 2, min: 1, max: 3, stdDev: 1 },
    pingResults: [
      { sequence: 1, type: 0, code: 0, success: true, rtt: 1, ttl: 64 },
      { sequence: 2, type: 0, code: 0, success: true, rtt: 3, ttl: 64 },
    ],
    dnsResolutionTime: 0,
    truncated: false,
  },
}
