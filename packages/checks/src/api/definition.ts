import { z } from 'zod'
import { frequencies, type ObservedError } from '@vedette/wire'
import type { CheckType, Definition, Metric } from '../core/check-type.ts'
import {
  completeVariables,
  environmentVariablesSchema,
  responseTimeSchema,
  storedEnvironmentVariablesSchema,
} from '../core/definition/field-shapes.ts'
import { responseTimeThresholds } from '../core/response-time.ts'
import type { ApiEvidence, TimingPhases } from './evidence.ts'
import { apiForm } from './form.ts'
import { apiRequestSchema, completeApiRequest, storedApiRequestSchema, type ApiRequest } from './request-shape.ts'
import { apiResultPart, toApiResult } from './result.ts'
import { headersRule, urlRule, variablesRule } from './rules.ts'
import { apiAssertionSources } from './sources.ts'

/** One request may last this long, whatever the check's own limits say. */
const requestTimeoutMs = 30_000

const requestOf = (definition: Definition) => definition.request as ApiRequest
const isText = (value: unknown) => typeof value === 'string' && value.trim() !== ''

const snippetId = z.int().positive().nullable()
const script = z.string().max(1_000_000).nullable()
const plainFields = {
  degradedResponseTime: responseTimeSchema(30_000).describe('Milliseconds over which the check is degraded.'),
  maxResponseTime: responseTimeSchema(30_000).describe('Milliseconds over which the check fails.'),
  setupSnippetId: snippetId.describe('Snippet run before the request.'),
  tearDownSnippetId: snippetId.describe('Snippet run after the request.'),
  localSetupScript: script.describe('Node.js code run before the request.'),
  localTearDownScript: script.describe('Node.js code run after the request.'),
}

const phase = (name: keyof TimingPhases, label: string): Metric<ApiEvidence> => ({
  name: name === 'total' ? 'responseTime' : name,
  label,
  unit: 'ms',
  read: ({ response }) => response?.timingPhases[name] ?? null,
})

function judge(definition: Definition, evidence: ApiEvidence | undefined, error: ObservedError | undefined) {
  if (error !== undefined) return error.text
  const response = evidence?.response
  if (response === undefined) return 'No response arrived'
  const failed = response.status >= 400
  if (failed === (definition.shouldFail === true)) return undefined
  const expected = failed ? 'below 400' : 'of 400 or above'
  return `Expected a status ${expected}, got ${response.status} ${response.statusText}`.trim()
}

/** HTTP requests. Source: contract, "API check specific fields". */
export const apiCheckType: CheckType<ApiEvidence> & typeof apiResultPart = {
  type: 'API',
  path: 'api',
  title: 'API',
  ...apiResultPart,
  fields: {
    request: apiRequestSchema.describe('The HTTP request to run.'),
    ...plainFields,
    environmentVariables: environmentVariablesSchema.describe('Variables of this check; they win over the account’s.'),
  },
  storedFields: {
    request: storedApiRequestSchema,
    ...plainFields,
    environmentVariables: storedEnvironmentVariablesSchema,
  },
  defaults: {
    degradedResponseTime: 5000,
    maxResponseTime: 20_000,
    setupSnippetId: null,
    tearDownSnippetId: null,
    localSetupScript: null,
    localTearDownScript: null,
    environmentVariables: null,
  },
  rules: [urlRule, headersRule, variablesRule],
  frequencies,
  secretPaths: ['request.basicAuth.password', 'environmentVariables.[secret].value'],
  complete: (definition) => ({
    ...definition,
    request: completeApiRequest(definition.request as z.infer<typeof apiRequestSchema>),
    environmentVariables: completeVariables(definition.environmentVariables),
  }),
  mode: {
    kind: 'scheduled',
    workerClass: 'network',
    repeatWhenStalled: true,
    needs: (definition) =>
      isText(definition.localSetupScript) ||
      isText(definition.localTearDownScript) ||
      typeof definition.setupSnippetId === 'number' ||
      typeof definition.tearDownSnippetId === 'number'
        ? ['user-code']
        : [],
    timeoutMs: () => requestTimeoutMs,
  },
  assertions: (definition) => requestOf(definition).assertions,
  assertionSources: apiAssertionSources,
  judge,
  thresholds: (definition, { response }) =>
    responseTimeThresholds(definition, response?.timingPhases.total, 'Responded'),
  responseMs: ({ response }) => response?.timingPhases.total ?? null,
  metrics: [
    phase('total', 'Response time'),
    phase('wait', 'Wait'),
    phase('dns', 'DNS'),
    phase('tcp', 'TCP'),
    phase('tls', 'TLS'),
    phase('firstByte', 'First byte'),
    phase('download', 'Download'),
  ],
  toResult: toApiResult,
  describe(definition) {
    const { method, url } = requestOf(definition)
    return { action: `${method} ${url}`, host: URL.canParse(url) ? new URL(url).host : url }
  },
  form: apiForm,
}
