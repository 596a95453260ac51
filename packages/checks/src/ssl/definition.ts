import { minuteFrequencies, type CrossFieldRule, type ObservedError } from '@vedette/wire'
import { z, type ZodRawShape } from 'zod'
import { defineCheckType, type FormSection, type Metric } from '../core/check-type.ts'
import { ipFamilyOptions, responseTimeSection } from '../core/definition/field-shapes.ts'
import type { DefinitionOf } from '../core/definition/typed-definition.ts'
import { sslAssertionSources } from './assertion-sources.ts'
import { countingTrouble, type SslEvidence, type SslSeen } from './evidence.ts'
import {
  completeSslRequest,
  nameOf,
  sslRequestSchema,
  storedSslRequestSchema,
  type SslConfig,
} from './request-shape.ts'
import { sslResultView, sslTypePart, toSslResult } from './result.ts'

/** Longest time of one attempt in milliseconds. */
const attemptTimeoutMs = 30_000

const handshakeLimit = z.int().min(0).max(30_000)
const limits = {
  degradedResponseTime: handshakeLimit.describe('Milliseconds of the handshake from which on the check is degraded.'),
  maxResponseTime: handshakeLimit.describe('Milliseconds of the handshake from which on the check fails.'),
}
const fields = { request: sslRequestSchema.describe('The handshake to make.'), ...limits } satisfies ZodRawShape
const storedFields = { request: storedSslRequestSchema, ...limits } satisfies ZodRawShape

/** The complete definition of an SSL check. */
export type SslDefinition = DefinitionOf<typeof storedFields>

/** The failing limit is not below the degraded one. */
const limitsRule: CrossFieldRule<SslDefinition> = ({ degradedResponseTime, maxResponseTime }) =>
  maxResponseTime >= degradedResponseTime
    ? []
    : [
        {
          path: 'maxResponseTime',
          message: `must not be below degradedResponseTime (${degradedResponseTime}), got ${maxResponseTime}`,
        },
      ]

function targetOf({ hostname, port }: SslConfig): string {
  const needsBrackets = hostname.includes(':') && !hostname.startsWith('[')
  return `${needsBrackets ? `[${hostname}]` : hostname}:${port}`
}

/** A certificate that no browser would take fails before any assertion. Only its issuer may be left unverified. */
function judge(
  { request, shouldFail }: SslDefinition,
  evidence: SslEvidence | undefined,
  error: ObservedError | undefined,
) {
  if (error !== undefined) return error.text
  if (evidence?.response === undefined) return 'There was no handshake'
  const failure = countingTrouble(request, evidence.response)?.text
  if (!shouldFail) return failure
  return failure === undefined ? 'Expected a certificate that is not valid, but it is' : undefined
}

const reaches = (limit: number | undefined, { handshakeTimeMs }: SslSeen): string | undefined =>
  typeof limit === 'number' && handshakeTimeMs >= limit
    ? `The handshake took ${Math.round(handshakeTimeMs)} ms, which reaches the limit of ${limit} ms`
    : undefined

function expiresSoon({ alertDaysBeforeExpiry }: SslConfig, { certificate }: SslSeen): string | undefined {
  const { daysUntilExpiry, notAfter } = certificate
  if (daysUntilExpiry >= alertDaysBeforeExpiry) return undefined
  const days = `${daysUntilExpiry} day${daysUntilExpiry === 1 ? '' : 's'}`
  return `The certificate expires in ${days}, on ${notAfter.slice(0, 10)}: fewer than ${alertDaysBeforeExpiry} are left`
}

function thresholds(definition: SslDefinition, { response }: SslEvidence) {
  if (response === undefined) return { degraded: undefined, exceeded: undefined }
  const { sslConfig } = definition.request
  return {
    degraded: expiresSoon(sslConfig, response) ?? reaches(definition.degradedResponseTime, response),
    exceeded: reaches(definition.maxResponseTime, response),
  }
}

const phase = (name: keyof SslSeen['timingPhases'], label: string): Metric<SslEvidence> => ({
  name,
  label,
  unit: 'ms',
  read: ({ response }) => response?.timingPhases[name] ?? null,
})

const form: readonly FormSection[] = [
  {
    title: 'Host',
    fields: [
      { path: 'request.sslConfig.hostname', label: 'Host', kind: 'text', placeholder: 'shop.example.com' },
      { path: 'request.sslConfig.port', label: 'Port', kind: 'number', placeholder: '443' },
      {
        path: 'request.sslConfig.serverName',
        label: 'Name in the certificate',
        kind: 'text',
        placeholder: 'shop.example.com',
        help: 'Asked for and verified in place of the host.',
      },
      { path: 'request.sslConfig.ipFamily', label: 'IP version', kind: 'select', options: ipFamilyOptions },
    ],
  },
  {
    title: 'Certificate',
    fields: [
      {
        path: 'request.sslConfig.alertDaysBeforeExpiry',
        label: 'Degraded under (days)',
        kind: 'number',
        placeholder: '20',
      },
      { path: 'request.sslConfig.skipChainValidation', label: 'Accept any issuer', kind: 'boolean' },
    ],
  },
  { title: 'Assertions', fields: [{ path: 'request.assertions', label: 'Assertions', kind: 'assertions' }] },
  {
    ...responseTimeSection('3000', '10000'),
    title: 'Handshake time',
    fields: [
      ...responseTimeSection('3000', '10000').fields,
      {
        path: 'request.sslConfig.handshakeTimeoutMs',
        label: 'Given up after (ms)',
        kind: 'number',
        placeholder: '10000',
      },
    ],
  },
]

/** Certificates of servers, and the handshake that shows them. */
export const sslCheckType = defineCheckType<
  SslDefinition,
  SslEvidence,
  DefinitionOf<typeof fields>,
  typeof sslTypePart
>({
  type: 'SSL',
  path: 'ssl',
  title: 'SSL',
  ...sslTypePart,
  fields,
  storedFields,
  defaults: { degradedResponseTime: 3000, maxResponseTime: 10_000 },
  example: { name: 'Certificate of the shop', frequency: 60, request: { sslConfig: { hostname: 'shop.example.com' } } },
  formStart: { request: { sslConfig: {} } },
  rules: [limitsRule],
  secretPaths: [],
  complete: (definition) => ({ ...definition, request: completeSslRequest(definition.request) }),
  mode: {
    kind: 'scheduled',
    workerClass: 'network',
    frequencies: minuteFrequencies,
    repeatWhenStalled: true,
    needs: () => [],
    certificateHosts: ({ request }) => [nameOf(request.sslConfig)],
    timeoutMs: () => attemptTimeoutMs,
  },
  dryRun: true,
  assertions: ({ request }) => request.assertions,
  assertionSources: sslAssertionSources,
  expectedFailure: 'A certificate that is not valid passes, and a valid one fails.',
  judge,
  thresholds,
  responseMs: ({ response }) => response?.handshakeTimeMs ?? null,
  statusCode: () => null,
  metrics: [
    {
      name: 'responseTime',
      label: 'Handshake time',
      unit: 'ms',
      read: ({ response }) => response?.handshakeTimeMs ?? null,
    },
    phase('dns', 'DNS'),
    phase('tcp', 'TCP'),
    phase('tls', 'TLS handshake'),
    {
      name: 'daysUntilExpiry',
      label: 'Days until expiry',
      unit: 'count',
      read: ({ response }) => response?.certificate.daysUntilExpiry ?? null,
    },
  ],
  toResult: toSslResult,
  resultView: sslResultView,
  target: ({ request }) => targetOf(request.sslConfig),
  describe: ({ request }) => {
    const host = targetOf(request.sslConfig)
    return { action: `verify the certificate of ${host}`, host }
  },
  form,
})
