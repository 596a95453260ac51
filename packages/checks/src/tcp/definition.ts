import type { z } from 'zod'
import { frequencies, type Comparison, type ObservedError } from '@vedette/wire'
import type { AssertionSource, CheckType, Definition, FormSection, Metric } from '../core/check-type.ts'
import { responseTimeSchema } from '../core/definition/field-shapes.ts'
import { responseTimeThresholds } from '../core/response-time.ts'
import type { TcpEvidence } from './evidence.ts'
import { tcpResultPart, toTcpResult } from './result.ts'
import { completeTcpRequest, storedTcpRequestSchema, tcpRequestSchema, type TcpRequest } from './request-shape.ts'

/** One attempt may last this long, whatever the check's own limits say. */
const attemptTimeoutMs = 30_000

const requestOf = (definition: Definition) => definition.request as TcpRequest
type Phases = NonNullable<TcpEvidence['response']>['timingPhases']

const comparisons: readonly Comparison[] = [
  'EQUALS',
  'NOT_EQUALS',
  'IS_EMPTY',
  'NOT_EMPTY',
  'LESS_THAN',
  'GREATER_THAN',
  'CONTAINS',
  'NOT_CONTAINS',
]

const responseData: AssertionSource<TcpEvidence> = {
  comparisons,
  reads: 'regex',
  property: { label: 'Regular expression', placeholder: '^220 (.*)', required: false },
  read: ({ response }) => response?.data,
}

const fields = {
  degradedResponseTime: responseTimeSchema(5000).describe('Milliseconds over which the check is degraded.'),
  maxResponseTime: responseTimeSchema(5000).describe('Milliseconds over which the check fails.'),
}

const phase = (name: keyof Phases, label: string): Metric<TcpEvidence> => ({
  name: name === 'total' ? 'responseTime' : name,
  label,
  unit: 'ms',
  read: ({ response }) => response?.timingPhases[name] ?? null,
})

/** A connection that was refused or met silence: what `shouldFail` expects. A name without address is neither. */
const refusedOrSilent = (error: ObservedError | undefined) =>
  error?.phase === 'tcp' && (error.code === 'ECONNREFUSED' || error.code === 'ETIMEDOUT')

function judge(definition: Definition, evidence: TcpEvidence | undefined, error: ObservedError | undefined) {
  const accepted = evidence?.response !== undefined || error?.phase === 'data'
  const trouble = error?.text ?? (accepted ? undefined : 'No connection came about')
  if (definition.shouldFail !== true) return trouble
  if (!accepted) return refusedOrSilent(error) ? undefined : trouble
  const { hostname, port } = requestOf(definition)
  return `Expected no connection, but ${hostname}:${port} accepted one`
}

const form: readonly FormSection[] = [
  {
    title: 'Connection',
    fields: [
      { path: 'request.hostname', label: 'Host', kind: 'text', placeholder: 'db.example.com' },
      { path: 'request.port', label: 'Port', kind: 'number', placeholder: '5432' },
      {
        path: 'request.ipFamily',
        label: 'IP version',
        kind: 'select',
        options: [
          { value: 'IPv4', label: 'IPv4' },
          { value: 'IPv6', label: 'IPv6' },
        ],
      },
      { path: 'request.data', label: 'Data to send', kind: 'textarea', help: 'Sent as text once connected.' },
    ],
  },
  { title: 'Assertions', fields: [{ path: 'request.assertions', label: 'Assertions', kind: 'assertions' }] },
  {
    title: 'Response time',
    fields: [
      { path: 'degradedResponseTime', label: 'Degraded over (ms)', kind: 'number', placeholder: '3000' },
      { path: 'maxResponseTime', label: 'Failed over (ms)', kind: 'number', placeholder: '5000' },
    ],
  },
]

/** TCP connections. Source: contract, "TCP check specific fields". */
export const tcpCheckType: CheckType<TcpEvidence> & typeof tcpResultPart = {
  type: 'TCP',
  path: 'tcp',
  title: 'TCP',
  ...tcpResultPart,
  fields: { request: tcpRequestSchema.describe('The connection to make.'), ...fields },
  storedFields: { request: storedTcpRequestSchema, ...fields },
  defaults: { degradedResponseTime: 3000, maxResponseTime: 5000 },
  rules: [],
  frequencies,
  secretPaths: [],
  complete: (definition) => ({
    ...definition,
    request: completeTcpRequest(definition.request as z.infer<typeof tcpRequestSchema>),
  }),
  mode: {
    kind: 'scheduled',
    workerClass: 'network',
    repeatWhenStalled: true,
    needs: () => [],
    timeoutMs: () => attemptTimeoutMs,
  },
  assertions: (definition) => requestOf(definition).assertions,
  assertionSources: {
    RESPONSE_DATA: responseData,
    TEXT_BODY: { ...responseData, aliasOf: 'RESPONSE_DATA' },
    RESPONSE_TIME: {
      comparisons: ['EQUALS', 'NOT_EQUALS', 'LESS_THAN', 'GREATER_THAN', 'IS_EMPTY', 'NOT_EMPTY'],
      reads: 'value',
      numeric: true,
      timed: true,
      read: ({ response }) => response?.timingPhases.total,
    },
  },
  judge,
  thresholds: (definition, { response }) =>
    responseTimeThresholds(definition, response?.timingPhases.total, 'Connected'),
  responseMs: ({ response }) => response?.timingPhases.total ?? null,
  metrics: [
    phase('total', 'Response time'),
    phase('dns', 'DNS'),
    phase('connection', 'Connection'),
    phase('data', 'Data'),
  ],
  toResult: toTcpResult,
  describe(definition) {
    const { hostname, port } = requestOf(definition)
    const host = `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`
    return { action: `connect to ${host}`, host }
  },
  form,
}
