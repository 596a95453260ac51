import { exchangeTypePart } from '../core/exchange-result.ts'
import type { ResultSection } from '../core/result-view.ts'
import { icmpSchemas } from './evidence.ts'

/** The type-specific part of a result. */
export const icmpTypePart = exchangeTypePart(
  { id: 'IcmpCheckResult', description: 'What a run of an ICMP check saw.' },
  icmpSchemas,
)

/** The page of a result. */
export const icmpResultView: readonly ResultSection[] = [
  { title: 'Expected and actual', parts: [{ kind: 'assertions', path: 'assertions' }] },
  {
    title: 'Request',
    about: 'request',
    otherwise: { text: 'Nothing was sent.' },
    parts: [
      {
        kind: 'line',
        spans: [
          { text: 'ping {request.hostname}', look: 'code' },
          { text: '{request.pingCount} times over {request.ipFamily}', look: 'soft' },
        ],
      },
    ],
  },
  {
    title: 'Answers',
    about: 'response',
    otherwise: { text: 'Nothing came back.', troublePath: 'requestError' },
    parts: [
      {
        kind: 'line',
        spans: [
          { text: '{response.packetsReceived} of {response.packetsSent} answered', look: 'strong' },
          { text: 'by {response.resolvedIp}', look: 'soft' },
        ],
      },
      {
        kind: 'facts',
        facts: [
          { label: 'Packet loss', path: 'response.packetLoss', unit: 'percent' },
          { label: 'Average', path: 'response.latency.avg', unit: 'ms' },
          { label: 'Fastest', path: 'response.latency.min', unit: 'ms' },
          { label: 'Slowest', path: 'response.latency.max', unit: 'ms' },
          { label: 'Standard deviation', path: 'response.latency.stdDev', unit: 'ms' },
          { label: 'Name look-up', path: 'response.dnsResolutionTime', unit: 'ms' },
        ],
      },
      {
        kind: 'table',
        path: 'response.pingResults',
        columns: [
          { label: 'No.', path: 'sequence' },
          { label: 'Answered', path: 'success' },
          { label: 'Round trip', path: 'rtt', unit: 'ms' },
          { label: 'TTL', path: 'ttl' },
        ],
        nothing: 'No pings.',
      },
    ],
  },
]
