import { exchangeTypePart, exchangeView } from '../core/exchange-result.ts'
import { tcpRequestSentSchema, tcpResponseSeenSchema } from './evidence.ts'

/** The type-specific part of a result. */
export const tcpTypePart = exchangeTypePart(
  { id: 'TcpCheckResult', description: 'What a run of a TCP check saw.' },
  { request: tcpRequestSentSchema, response: tcpResponseSeenSchema },
)

/** The page of a result. */
export const tcpResultView = exchangeView({
  phases: [
    { name: 'dns', label: 'DNS' },
    { name: 'connection', label: 'TCP connection' },
    { name: 'data', label: 'Data' },
  ],
  request: [
    {
      kind: 'line',
      spans: [{ text: '{request.hostname}:{request.port} over {request.ipFamily}', look: 'code' }],
    },
    { kind: 'text', path: 'request.data' },
  ],
  response: [
    { kind: 'line', spans: [{ text: 'from {response.remoteAddress}', look: 'soft' }] },
    {
      kind: 'text',
      path: 'response.data',
      nothing: 'Connected; no data was received.',
      truncatedPath: 'response.truncated',
    },
  ],
})
