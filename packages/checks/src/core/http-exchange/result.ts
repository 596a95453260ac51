import { exchangeTypePart, exchangeView } from '../exchange-result.ts'
import { httpRequestSentSchema, httpResponseSeenSchema } from './evidence.ts'

/** The type-specific part of a result. */
export const httpTypePart = (meta: { id: string; description: string }) =>
  exchangeTypePart(meta, { request: httpRequestSentSchema, response: httpResponseSeenSchema })

/** Assertion sources of a type that read parts of the answer: beside a form, a click on such a part makes an assertion. */
interface ReadBy {
  body?: string
  headers?: string
}

/** The page of a result. */
export const httpResultView = ({ body, headers }: ReadBy) =>
  exchangeView({
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
        tab: 'Body',
        ...(body !== undefined && { source: body }),
      },
      {
        kind: 'keyValues',
        path: 'response.headers',
        nothing: 'No headers.',
        tab: 'Headers',
        ...(headers !== undefined && { source: headers }),
      },
    ],
  })
