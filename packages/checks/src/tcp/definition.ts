import type { ZodRawShape } from 'zod'
import { frequencies, type Comparison, type ObservedError } from '@vedette/wire'
import { defineCheckType, type AssertionSource, type FormSection, type Metric } from '../core/check-type.ts'
import { responseTimeSchema } from '../core/definition/field-shapes.ts'
import type { DefinitionOf } from '../core/definition/typed-definition.ts'
import { toExchangeResult } from '../core/exchange-result.ts'
import { responseTimeThresholds } from '../core/response-time.ts'
import type { TcpEvidence } from './evidence.ts'
import { completeTcpRequest, storedTcpRequestSchema, tcpRequestSchema, type TcpRequest } from './request-shape.ts'
import { tcpCheckFromText } from './from-text.ts'
import { tcpResultView, tcpTypePart } from './result.ts'

/** Longest time of one attempt in milliseconds, whatever the check's own limits are. */
const attemptTimeoutMs = 30_000

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

const limits = {
  degradedResponseTime: responseTimeSchema(5000).describe('Milliseconds over which the check is degraded.'),
  maxResponseTime: responseTimeSchema(5000).describe(
    'Milliseconds over which the check fails. Assertions on the response data wait for it no longer than that (5000 without a limit); the wait for a target that sends nothing is part of the response time, but exceeds no limit.',
  ),
}

const fields = { request: tcpRequestSchema.describe('The connection to make.'), ...limits } satisfies ZodRawShape
const storedFields = { request: storedTcpRequestSchema, ...limits } satisfies ZodRawShape

/** The complete definition of a TCP check. */
export type TcpDefinition = DefinitionOf<typeof storedFields>

const phase = (name: keyof Phases, label: string): Metric<TcpEvidence> => ({
  name: name === 'total' ? 'responseTime' : name,
  label,
  unit: 'ms',
  read: ({ response }) => response?.timingPhases[name] ?? null,
})

/** True for a refused or silent connection, which is what `shouldFail` expects. A name without address is neither. */
const refusedOrSilent = (error: ObservedError | undefined) =>
  error?.phase === 'tcp' && (error.code === 'ECONNREFUSED' || error.code === 'ETIMEDOUT')

/** Host and port as they stand in addresses. The host may have been written in brackets. */
function targetOf({ hostname, port }: TcpRequest): string {
  const needsBrackets = hostname.includes(':') && !hostname.startsWith('[')
  return `${needsBrackets ? `[${hostname}]` : hostname}:${port}`
}

/**
 * What the limits on response time count: the time until the target answered. The wait for a target that sends nothing
 * ends by our limit and is no slowness; whether silence is right is for the assertions to say.
 */
const answeredMs = ({ response }: TcpEvidence): number | undefined => {
  if (response === undefined) return undefined
  const { dns, connection, total } = response.timingPhases
  return response.data === '' ? dns + connection : total
}

function judge(
  { request, shouldFail }: TcpDefinition,
  evidence: TcpEvidence | undefined,
  error: ObservedError | undefined,
) {
  const accepted = evidence?.response !== undefined || error?.phase === 'data'
  const trouble = error?.text ?? (accepted ? undefined : 'No connection came about')
  if (!shouldFail) return trouble
  if (!accepted) return refusedOrSilent(error) ? undefined : trouble
  return `Expected no connection, but ${targetOf(request)} accepted one`
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
export const tcpCheckType = defineCheckType<
  TcpDefinition,
  TcpEvidence,
  DefinitionOf<typeof fields>,
  typeof tcpTypePart
>({
  type: 'TCP',
  path: 'tcp',
  title: 'TCP',
  ...tcpTypePart,
  fields,
  storedFields,
  defaults: { degradedResponseTime: 3000, maxResponseTime: 5000 },
  example: { name: 'Database', frequency: 1, tags: ['shop'], request: { hostname: 'db.example.com', port: 5432 } },
  formStart: { request: {} },
  fromText: tcpCheckFromText,
  rules: [],
  secretPaths: [],
  complete: (definition) => ({ ...definition, request: completeTcpRequest(definition.request) }),
  mode: {
    kind: 'scheduled',
    workerClass: 'network',
    frequencies,
    repeatWhenStalled: true,
    needs: () => [],
    timeoutMs: () => attemptTimeoutMs,
  },
  dryRun: true,
  assertions: ({ request }) => request.assertions,
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
  expectedFailure: 'A refused or silent connection passes, and one that comes about fails.',
  judge,
  thresholds: (definition, evidence) => responseTimeThresholds(definition, answeredMs(evidence), 'Connected'),
  responseMs: ({ response }) => response?.timingPhases.total ?? null,
  statusCode: () => null,
  metrics: [
    phase('total', 'Response time'),
    phase('dns', 'DNS'),
    phase('connection', 'Connection'),
    phase('data', 'Data'),
  ],
  toResult: toExchangeResult,
  resultView: tcpResultView,
  target: ({ request }) => targetOf(request),
  describe: ({ request }) => ({ action: `connect to ${targetOf(request)}`, host: targetOf(request) }),
  form,
})
