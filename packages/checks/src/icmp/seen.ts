import type { Answer } from '../net/packets/answer.ts'
import type { IcmpEvidence } from './evidence.ts'
import { packetSize } from './ping-order.ts'

type Seen = NonNullable<IcmpEvidence['response']>

/** Microseconds are what programs measure. */
const roundedMs = (ms: number): number => Math.round(ms * 1000) / 1000

/** ICMP types of answers, which the two versions number differently. */
const types = {
  4: { reply: 0, unreachable: 3, expired: 11 },
  6: { reply: 129, unreachable: 1, expired: 3 },
} as const

function latencyOf(rtts: readonly number[]): Seen['latency'] {
  if (rtts.length === 0) return null
  const avg = rtts.reduce((sum, rtt) => sum + rtt, 0) / rtts.length
  const variance = rtts.reduce((sum, rtt) => sum + (rtt - avg) ** 2, 0) / rtts.length
  const [min, max] = [Math.min(...rtts), Math.max(...rtts)]
  return { avg: roundedMs(avg), min: roundedMs(min), max: roundedMs(max), stdDev: roundedMs(Math.sqrt(variance)) }
}

function pingResult(answer: Answer, index: number, version: 4 | 6): Seen['pingResults'][number] {
  const { kind } = answer
  const isAnswer = kind === 'reply' || kind === 'unreachable' || kind === 'expired'
  return {
    sequence: index + 1,
    type: isAnswer ? types[version][kind] : null,
    code: kind === 'reply' ? 0 : null,
    success: kind === 'reply',
    rtt: kind === 'reply' ? roundedMs(answer.rttMs) : null,
    ttl: kind === 'reply' ? answer.ttl : null,
  }
}

/** What the answers amount to. Packets that never left this machine are not counted. */
export function seenOf(from: { hostname: string; address: string; dnsMs: number; answers: readonly Answer[] }): Seen {
  const version = from.address.includes(':') ? 6 : 4
  const sent = from.answers.filter(({ kind }) => kind !== 'unsent')
  const rtts = sent.flatMap((answer) => (answer.kind === 'reply' ? [answer.rttMs] : []))
  return {
    hostname: from.hostname,
    resolvedIp: from.address,
    ipFamily: `IPv${version}`,
    pingCount: from.answers.length,
    packetsSent: sent.length,
    packetsReceived: rtts.length,
    packetSize,
    packetLoss: Math.round(((sent.length - rtts.length) / sent.length) * 100_000) / 1000,
    latency: latencyOf(rtts),
    pingResults: sent.map((answer, index) => pingResult(answer, index, version)),
    dnsResolutionTime: from.dnsMs,
    truncated: false,
  }
}
