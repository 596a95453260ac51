import { exchangeTypePart, exchangeView } from '../core/exchange-result.ts'
import { dnsSchemas } from './evidence.ts'

/** The type-specific part of a result. */
export const dnsTypePart = exchangeTypePart(
  { id: 'DnsCheckResult', description: 'What a run of a DNS check saw.' },
  dnsSchemas,
)

/** The page of a result. */
export const dnsResultView = exchangeView({
  phases: [
    { name: 'connection', label: 'TCP connection' },
    { name: 'answer', label: 'Answer' },
  ],
  request: [
    {
      kind: 'line',
      spans: [
        { text: '{request.recordType} {request.query}', look: 'code' },
        { text: 'over {request.protocol}', look: 'soft' },
        { text: 'asked of {request.nameServer}:{request.port}', look: 'soft' },
      ],
    },
  ],
  response: [
    {
      kind: 'line',
      spans: [
        {
          text: '{response.answer.Status}',
          look: 'strong',
          source: 'RESPONSE_CODE',
          sourcePath: 'response.answer.Status',
        },
        { text: 'from {response.remoteAddress}', look: 'soft' },
      ],
    },
    {
      kind: 'table',
      path: 'response.answer.Answer',
      columns: [
        { label: 'Name', path: 'name' },
        { label: 'Type', path: 'type' },
        { label: 'TTL (s)', path: 'TTL' },
        { label: 'Data', path: 'data' },
      ],
      nothing: 'No records.',
      tab: 'Records',
    },
    {
      kind: 'text',
      path: 'response.text',
      nothing: 'No records.',
      truncatedPath: 'response.truncated',
      source: 'TEXT_ANSWER',
      tab: 'As text',
    },
  ],
})
