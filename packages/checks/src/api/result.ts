import { exchangeTypePart, exchangeView } from '../core/exchange-result.ts'
import { apiRequestSentSchema, apiResponseSeenSchema } from './evidence.ts'

/** The type-specific part of a result. */
export const apiTypePart = exchangeTypePart(
  { id: 'ApiCheckResult', description: 'What a run of an API check saw.' },
  { request: apiRequestSentSchema, response: apiResponseSeenSchema },
)

/** The page of a result. */
export const apiResultView = exchangeView({
  phases: [
    { name: 'dns', label: 'DNS' },
    { name: 'tcp', label: 'TCP connection' },
    { name: 'tls', label: 'TLS handshake' },
    { name: 'firstByte', label: 'First byte' },
    { name: 'download', label: 'Download' },
    { name: 'between', label: 'Between the steps', isRest: true },
  ],
  beside: [{ name: 'wait', label: 'Waited before it began, not counted' }],
  request: [
    { kind: 'line', spans: [{ text: '{request.method} {request.url}', look: 'code' }] },
    { kind: 'keyValues', path: 'request.headers', nothing: 'No headers.', tab: 'Headers' },
    { kind: 'text', path: 'request.data', nothing: 'No body was sent.', tab: 'Body' },
  ],
  response: [
    {
      kind: 'line',
      spans: [
        {
          text: '{response.status} {response.statusText}',
          look: 'strong',
          source: 'STATUS_CODE',
          sourcePath: 'response.status',
        },
        { text: 'from {response.remoteAddress}', look: 'soft' },
      ],
    },
    {
      kind: 'text',
      path: 'response.body',
      nothing: 'Empty body.',
      truncatedPath: 'response.truncated',
      source: 'JSON_BODY',
      tab: 'Body',
    },
    { kind: 'keyValues', path: 'response.headers', nothing: 'No headers.', source: 'HEADERS', tab: 'Headers' },
  ],
})
