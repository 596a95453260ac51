import { frequencies } from '@vedette/wire'
import { defineCheckType } from '../core/check-type.ts'
import { completeVariables } from '../core/definition/field-shapes.ts'
import type { DefinitionOf } from '../core/definition/typed-definition.ts'
import { variablesRule } from '../core/definition/variables-rule.ts'
import { toExchangeResult } from '../core/exchange-result.ts'
import { certificateHosts } from '../core/http-exchange/certificate-hosts.ts'
import type { HttpEvidence } from '../core/http-exchange/evidence.ts'
import { httpJudgement, httpTarget, requestTimeoutMs } from '../core/http-exchange/judgement.ts'
import { httpResultView, httpTypePart } from '../core/http-exchange/result.ts'
import { urlRule } from '../core/http-exchange/url-rule.ts'
import { apiFields, apiStoredFields, type ApiDefinition } from './fields.ts'
import { apiForm } from './form.ts'
import { apiCheckFromText } from './from-text.ts'
import { completeApiRequest } from './request-shape.ts'
import { headersRule } from './rules.ts'
import { apiAssertionSources } from './sources.ts'
import { withGroupDefaults } from './with-group-defaults.ts'

const isText = (value: string | null) => (value ?? '').trim() !== ''

const typePart = httpTypePart({ id: 'ApiCheckResult', description: 'What a run of an API check saw.' })

/** HTTP requests. Source: contract, "API check specific fields". */
export const apiCheckType = defineCheckType<
  ApiDefinition,
  HttpEvidence,
  DefinitionOf<typeof apiFields>,
  typeof typePart
>({
  type: 'API',
  path: 'api',
  title: 'API',
  ...typePart,
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
  example: {
    name: 'Cart',
    frequency: 5,
    locations: ['eu-west-1', 'us-east-1'],
    tags: ['shop'],
    request: {
      url: 'https://shop.example.com/api/cart',
      headers: [{ key: 'Accept', value: 'application/json' }],
      assertions: [
        { source: 'STATUS_CODE', comparison: 'EQUALS', target: '200' },
        { source: 'JSON_BODY', property: '$.items.length', comparison: 'GREATER_THAN', target: '0' },
      ],
    },
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
    certificateHosts: ({ request }) => certificateHosts(request),
    timeoutMs: () => requestTimeoutMs,
  },
  dryRun: true,
  assertions: ({ request }) => request.assertions,
  assertionSources: apiAssertionSources,
  ...httpJudgement,
  toResult: toExchangeResult,
  resultView: httpResultView({ body: 'JSON_BODY', headers: 'HEADERS' }),
  ...httpTarget,
  form: apiForm,
})
