import { frequencies, type Comparison, type ObservedError } from '@vedette/wire'
import { z, type ZodRawShape } from 'zod'
import { defineCheckType, type AssertionSource, type FormSection, type Metric } from '../core/check-type.ts'
import {
  ipFamilyOptions,
  numericComparisons,
  responseTimeSchema,
  responseTimeSection,
} from '../core/definition/field-shapes.ts'
import type { DefinitionOf } from '../core/definition/typed-definition.ts'
import { toExchangeResult } from '../core/exchange-result.ts'
import { responseTimeThresholds } from '../core/response-time.ts'
import { latencyNames, type IcmpEvidence } from './evidence.ts'
import { completeIcmpRequest, icmpRequestSchema, storedIcmpRequestSchema } from './request-shape.ts'
import { icmpResultView, icmpTypePart } from './result.ts'

/** Longest time of one attempt in milliseconds. */
const attemptTimeoutMs = 30_000

const packetLoss = z.number().min(0).max(100).nullable()
const limits = {
  degradedPacketLossThreshold: packetLoss.describe('Percent of lost packets over which the check is degraded.'),
  maxPacketLossThreshold: packetLoss.describe('Percent of lost packets over which the check fails.'),
  degradedResponseTime: responseTimeSchema(300_000).describe(
    'Milliseconds of the average round trip over which the check is degraded.',
  ),
  maxResponseTime: responseTimeSchema(300_000).describe(
    'Milliseconds of the average round trip over which the check fails.',
  ),
}
const fields = { request: icmpRequestSchema.describe('The host to ping.'), ...limits } satisfies ZodRawShape
const storedFields = { request: storedIcmpRequestSchema, ...limits } satisfies ZodRawShape

/** The complete definition of an ICMP check. */
export type IcmpDefinition = DefinitionOf<typeof storedFields>

const comparisons: readonly Comparison[] = [
  'EQUALS',
  'NOT_EQUALS',
  'IS_EMPTY',
  'NOT_EMPTY',
  'GREATER_THAN',
  'LESS_THAN',
  'CONTAINS',
  'NOT_CONTAINS',
  'IS_NULL',
  'NOT_NULL',
]

type LatencyName = (typeof latencyNames)[number]

const assertionSources: Record<string, AssertionSource<IcmpEvidence>> = {
  LATENCY: {
    comparisons: numericComparisons,
    reads: 'value',
    numeric: true,
    timed: true,
    property: { label: 'Of all round trips', placeholder: 'avg', required: true, options: latencyNames },
    read: ({ response }, property) => response?.latency?.[property as LatencyName],
  },
  JSON_RESPONSE: {
    comparisons,
    reads: 'jsonPath',
    property: { label: 'JSONPath', placeholder: '$.packetsReceived', required: true },
    read: ({ response }) => response,
  },
}

const latency = (name: LatencyName, label: string, metric: string): Metric<IcmpEvidence> => ({
  name: metric,
  label,
  unit: 'ms',
  read: ({ response }) => response?.latency?.[name] ?? null,
})

const isSilent = ({ response }: IcmpEvidence) => response?.packetsReceived === 0

/** One answer is enough for a pass: how many may be lost is for the limits to say. */
function judge(
  { request, shouldFail }: IcmpDefinition,
  evidence: IcmpEvidence | undefined,
  error: ObservedError | undefined,
) {
  const response = evidence?.response
  if (response === undefined) return error?.text ?? 'No ping was sent'
  if (response.packetsReceived === 0) {
    if (shouldFail) return undefined
    return error?.text ?? `None of ${response.packetsSent} pings to ${request.hostname} was answered`
  }
  if (error !== undefined) return error.text
  if (!shouldFail) return undefined
  return `Expected no answer, but ${request.hostname} answered ${response.packetsReceived} of ${response.packetsSent} pings`
}

function lossOver(limit: number | null | undefined, loss: number | undefined): string | undefined {
  if (typeof limit !== 'number' || loss === undefined || loss <= limit) return undefined
  return `Lost ${Math.round(loss * 10) / 10} % of the packets, over the limit of ${limit} %`
}

/** Silence that is expected exceeds no limit. */
function thresholds(definition: IcmpDefinition, evidence: IcmpEvidence) {
  const { response } = evidence
  const isExpected = definition.shouldFail && isSilent(evidence)
  const loss = isExpected ? undefined : response?.packetLoss
  const time = responseTimeThresholds(definition, response?.latency?.avg, 'Answered on average')
  return {
    degraded: lossOver(definition.degradedPacketLossThreshold, loss) ?? time.degraded,
    exceeded: lossOver(definition.maxPacketLossThreshold, loss) ?? time.exceeded,
  }
}

const form: readonly FormSection[] = [
  {
    title: 'Host',
    fields: [
      { path: 'request.hostname', label: 'Host', kind: 'text', placeholder: 'db.example.com' },
      { path: 'request.ipFamily', label: 'IP version', kind: 'select', options: ipFamilyOptions },
      { path: 'request.pingCount', label: 'Pings', kind: 'number', placeholder: '10', help: 'From 1 to 50.' },
    ],
  },
  { title: 'Assertions', fields: [{ path: 'request.assertions', label: 'Assertions', kind: 'assertions' }] },
  {
    title: 'Packet loss',
    fields: [
      { path: 'degradedPacketLossThreshold', label: 'Degraded over (%)', kind: 'number', placeholder: '10' },
      { path: 'maxPacketLossThreshold', label: 'Failed over (%)', kind: 'number', placeholder: '20' },
    ],
  },
  { ...responseTimeSection('10000', '20000'), title: 'Average round trip' },
]

/** Hosts that are to answer pings. */
export const icmpCheckType = defineCheckType<
  IcmpDefinition,
  IcmpEvidence,
  DefinitionOf<typeof fields>,
  typeof icmpTypePart
>({
  type: 'ICMP',
  path: 'icmp',
  title: 'ICMP',
  ...icmpTypePart,
  fields,
  storedFields,
  defaults: {
    degradedPacketLossThreshold: 10,
    maxPacketLossThreshold: 20,
    degradedResponseTime: 10_000,
    maxResponseTime: 20_000,
  },
  example: { name: 'Router', frequency: 1, request: { hostname: 'router.example.com' } },
  formStart: { request: {} },
  rules: [],
  secretPaths: [],
  complete: (definition) => ({ ...definition, request: completeIcmpRequest(definition.request) }),
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
  expectedFailure: 'Silence passes, and an answer fails.',
  judge,
  thresholds,
  responseMs: ({ response }) => response?.latency?.avg ?? null,
  statusCode: () => null,
  metrics: [
    latency('avg', 'Average round trip', 'responseTime'),
    latency('min', 'Fastest round trip', 'latencyMin'),
    latency('max', 'Slowest round trip', 'latencyMax'),
    latency('stdDev', 'Standard deviation', 'latencyStdDev'),
    { name: 'packetLoss', label: 'Packet loss', unit: 'percent', read: ({ response }) => response?.packetLoss ?? null },
  ],
  toResult: toExchangeResult,
  resultView: icmpResultView,
  target: ({ request }) => request.hostname,
  describe: ({ request }) => ({ action: `ping ${request.hostname}`, host: request.hostname }),
  form,
})
