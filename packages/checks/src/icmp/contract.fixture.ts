import type { IcmpEvidence } from './evidence.ts'

/** The smallest check a user can send. For the suite over all check types. */
export const leastCheck = () => ({ name: 'least', request: { hostname: '127.0.0.1' } })

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
