import { comparisons, frequencies, type ObservedError } from '@vedette/wire'
import type { ZodRawShape } from 'zod'
import { defineCheckType, type AssertionSource, type FormSection, type Metric } from '../core/check-type.ts'
import {
  numericComparisons,
  optionsOf,
  responseTimeSchema,
  responseTimeSection,
} from '../core/definition/field-shapes.ts'
import type { DefinitionOf } from '../core/definition/typed-definition.ts'
import { toExchangeResult } from '../core/exchange-result.ts'
import { responseTimeThresholds } from '../core/response-time.ts'
import type { DnsEvidence } from './evidence.ts'
import {
  completeDnsRequest,
  dnsProtocols,
  dnsRequestSchema,
  recordTypes,
  storedDnsRequestSchema,
} from './request-shape.ts'
import { dnsResultView, dnsTypePart } from './result.ts'

/** Longest time of one attempt in milliseconds, whatever the check's own limits are. */
const attemptTimeoutMs = 30_000

const limits = {
  degradedResponseTime: responseTimeSchema(5000).describe('Milliseconds over which the check is degraded.'),
  maxResponseTime: responseTimeSchema(5000).describe('Milliseconds over which the check fails.'),
}
const fields = { request: dnsRequestSchema.describe('The question to ask.'), ...limits } satisfies ZodRawShape
const storedFields = { request: storedDnsRequestSchema, ...limits } satisfies ZodRawShape

/** The complete definition of a DNS check. */
export type DnsDefinition = DefinitionOf<typeof storedFields>

type Phases = NonNullable<DnsEvidence['response']>['timingPhases']

const phase = (name: keyof Phases, label: string): Metric<DnsEvidence> => ({
  name: name === 'total' ? 'responseTime' : name,
  label,
  unit: 'ms',
  read: ({ response }) => response?.timingPhases[name] ?? null,
})

/**
 * An assertion on the response code says which one is expected, in place of the rule that only NOERROR is. Without an
 * answer nothing is known of the name, so only another response code is what `shouldFail` expects.
 */
function judge(
  { request, shouldFail }: DnsDefinition,
  evidence: DnsEvidence | undefined,
  error: ObservedError | undefined,
) {
  if (error !== undefined) return error.text
  const code = evidence?.response?.answer.Status
  if (code === undefined) return 'No answer arrived'
  if (request.assertions?.some(({ source }) => source === 'RESPONSE_CODE')) return undefined
  const failed = code !== 'NOERROR'
  if (failed === Boolean(shouldFail)) return undefined
  return `Expected ${failed ? 'the response code NOERROR' : 'another response code than NOERROR'}, got ${code}`
}

const assertionSources: Record<string, AssertionSource<DnsEvidence>> = {
  RESPONSE_CODE: { comparisons, reads: 'value', read: ({ response }) => response?.answer.Status },
  TEXT_ANSWER: {
    comparisons,
    reads: 'regex',
    property: { label: 'Regular expression', placeholder: 'IN A (.*)', required: false },
    read: ({ response }) => response?.text,
  },
  JSON_ANSWER: {
    comparisons,
    reads: 'jsonPath',
    property: { label: 'JSONPath', placeholder: '$.Answer[0].data', required: true },
    read: ({ response }) => response?.answer,
  },
  RESPONSE_TIME: {
    comparisons: numericComparisons,
    reads: 'value',
    numeric: true,
    timed: true,
    read: ({ response }) => response?.timingPhases.total,
  },
}

const form: readonly FormSection[] = [
  {
    title: 'Question',
    fields: [
      { path: 'request.query', label: 'Name to look up', kind: 'text', placeholder: 'shop.example.com' },
      { path: 'request.recordType', label: 'Record type', kind: 'select', options: optionsOf(recordTypes) },
      {
        path: 'request.nameServer',
        label: 'Name server',
        kind: 'text',
        placeholder: '1.1.1.1',
        help: 'Left empty, that of the location is asked.',
      },
      { path: 'request.port', label: 'Port', kind: 'number', placeholder: '53' },
      { path: 'request.protocol', label: 'Protocol', kind: 'select', options: optionsOf(dnsProtocols) },
    ],
  },
  { title: 'Assertions', fields: [{ path: 'request.assertions', label: 'Assertions', kind: 'assertions' }] },
  responseTimeSection('500', '1000'),
]

/** Names that are to resolve. */
export const dnsCheckType = defineCheckType<
  DnsDefinition,
  DnsEvidence,
  DefinitionOf<typeof fields>,
  typeof dnsTypePart
>({
  type: 'DNS',
  path: 'dns',
  title: 'DNS',
  ...dnsTypePart,
  fields,
  storedFields,
  defaults: { degradedResponseTime: 500, maxResponseTime: 1000 },
  example: { name: 'Mail servers', frequency: 30, request: { query: 'example.com', recordType: 'MX' } },
  formStart: { request: { recordType: 'A' } },
  rules: [],
  secretPaths: [],
  complete: (definition) => ({ ...definition, request: completeDnsRequest(definition.request) }),
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
  assertionSources,
  expectedFailure: 'A response code other than NOERROR passes, and NOERROR fails.',
  judge,
  thresholds: (definition, { response }) =>
    responseTimeThresholds(definition, response?.timingPhases.total, 'Answered'),
  responseMs: ({ response }) => response?.timingPhases.total ?? null,
  statusCode: () => null,
  metrics: [phase('total', 'Response time'), phase('connection', 'TCP connection'), phase('answer', 'Answer')],
  toResult: toExchangeResult,
  resultView: dnsResultView,
  target: ({ request }) => request.query,
  describe: ({ request }) => ({ action: `look up ${request.recordType} of ${request.query}`, host: request.query }),
  form,
})
