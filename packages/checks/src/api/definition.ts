import { frequencies, type ObservedError } from '@vedette/wire'
import { defineCheckType, type Metric } from '../core/check-type.ts'
import { completeVariables } from '../core/definition/field-shapes.ts'
import type { DefinitionOf } from '../core/definition/typed-definition.ts'
import { toExchangeResult } from '../core/exchange-result.ts'
import { responseTimeThresholds } from '../core/response-time.ts'
import type { ApiEvidence, TimingPhases } from './evidence.ts'
import { apiFields, apiStoredFields, type ApiDefinition } from './fields.ts'
import { apiForm } from './form.ts'
import { apiCheckFromText } from './from-text.ts'
import { completeApiRequest } from './request-shape.ts'
import { apiResultView, apiTypePart } from './result.ts'
import { headersRule, urlRule, variablesRule } from './rules.ts'
import { apiAssertionSources } from './sources.ts'
import { withGroupDefaults } from './with-group-defaults.ts'

/** Longest time of one request in milliseconds, whatever the check's own limits are. */
const requestTimeoutMs = 30_000

const isText = (value: string | null) => (value ?? '').trim() !== ''

const phase = (name: keyof TimingPhases, label: string): Metric<ApiEvidence> => ({
  name: name === 'total' ? 'responseTime' : name,
  label,
  unit: 'ms',
  read: ({ response }) => response?.timingPhases[name] ?? null,
})

function judge({ shouldFail }: ApiDefinition, evidence: ApiEvidence | undefined, error: ObservedError | undefined) {
  if (error !== undefined) return error.text
  const response = evidence?.response
  if (response === undefined) return 'No response arrived'
  const failed = response.status >= 400
  if (failed === Boolean(shouldFail)) return undefined
  const expected = failed ? 'below 400' : 'of 400 or above'
  return `Expected a status ${expected}, got ${response.status} ${response.statusText}`.trim()
}

/** HTTP requests. Source: contract, "API check specific fields". */
export const apiCheckType = defineCheckType<
  ApiDefinition,
  ApiEvidence,
  DefinitionOf<typeof apiFields>,
  typeof apiTypePart
>({
  type: 'API',
  path: 'api',
  title: 'API',
  ...apiTypePart,
  fields: apiFields,
  storedFields: apiStoredFields,
  defaults: {
    degradedResponseTime: 5000,
    maxResponseTime: 20_000,
    setupSnippetId: null,
    tearDownSnippetId: null,
    localSetupScript: null,
    localTearDownScript: null,
    environmentVariables: null,
  },
  formStart: {
    request: {
      assertions: [{ source: 'STATUS_CODE', comparison: 'EQUALS', property: '', target: '200', regex: null }],
    },
  },
  fromText: apiCheckFromText,
  rules: [urlRule, headersRule, variablesRule],
  secretPaths: ['request.basicAuth.password', 'environmentVariables.[secret].value'],
  complete: (definition) => ({
    ...definition,
    request: completeApiRequest(definition.request),
    environmentVariables: completeVariables(definition.environmentVariables),
  }),
  withGroupDefaults,
  mode: {
    kind: 'scheduled',
    workerClass: 'network',
    frequencies,
    repeatWhenStalled: true,
    needs: ({ localSetupScript, localTearDownScript, setupSnippetId, tearDownSnippetId }) =>
      isText(localSetupScript) || isText(localTearDownScript) || (setupSnippetId ?? tearDownSnippetId ?? null) !== null
        ? ['user-code']
        : [],
    timeoutMs: () => requestTimeoutMs,
  },
  dryRun: true,
  assertions: ({ request }) => request.assertions,
  assertionSources: apiAssertionSources,
  judge,
  thresholds: (definition, { response }) =>
    responseTimeThresholds(definition, response?.timingPhases.total, 'Responded'),
  responseMs: ({ response }) => response?.timingPhases.total ?? null,
  statusCode: ({ response }) => response?.status ?? null,
  metrics: [
    phase('total', 'Response time'),
    phase('wait', 'Wait'),
    phase('dns', 'DNS'),
    phase('tcp', 'TCP'),
    phase('tls', 'TLS'),
    phase('firstByte', 'First byte'),
    phase('download', 'Download'),
    phase('between', 'Between the steps'),
  ],
  toResult: toExchangeResult,
  resultView: apiResultView,
  target: ({ request }) => request.url,
  describe({ request: { method, url } }) {
    return { action: `${method} ${url}`, host: URL.canParse(url) ? new URL(url).host : url }
  },
  form: apiForm,
})
