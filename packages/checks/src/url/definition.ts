import { frequencies } from '@vedette/wire'
import type { ZodRawShape } from 'zod'
import { defineCheckType, type FormSection, type PastedCheck } from '../core/check-type.ts'
import { ipFamilyOptions, responseTimeSchema, responseTimeSection } from '../core/definition/field-shapes.ts'
import type { DefinitionOf } from '../core/definition/typed-definition.ts'
import { toExchangeResult } from '../core/exchange-result.ts'
import { completeUrl } from '../core/http-exchange/complete-url.ts'
import { certificateHosts } from '../core/http-exchange/certificate-hosts.ts'
import type { HttpEvidence } from '../core/http-exchange/evidence.ts'
import { httpJudgement, httpTarget, requestTimeoutMs, statusCodeSource } from '../core/http-exchange/judgement.ts'
import { httpResultView, httpTypePart } from '../core/http-exchange/result.ts'
import { urlRule } from '../core/http-exchange/url-rule.ts'
import { completeUrlRequest, storedUrlRequestSchema, urlRequestSchema } from './request-shape.ts'

const limits = {
  degradedResponseTime: responseTimeSchema(30_000).describe('Milliseconds over which the check is degraded.'),
  maxResponseTime: responseTimeSchema(30_000).describe('Milliseconds over which the check fails.'),
}
const fields = { request: urlRequestSchema.describe('The address to get.'), ...limits } satisfies ZodRawShape
const storedFields = { request: storedUrlRequestSchema, ...limits } satisfies ZodRawShape

/** The complete definition of a URL check. */
export type UrlDefinition = DefinitionOf<typeof storedFields>

const typePart = httpTypePart({ id: 'UrlCheckResult', description: 'What a run of a URL check saw.' })

/** An address with its scheme, or one that can be completed. */
function urlCheckFromText(text: string): PastedCheck | undefined {
  const url = completeUrl(text)
  if (!/^https?:\/\/\S+$/i.test(url) || !URL.canParse(url)) return undefined
  return { name: new URL(url).host, values: { 'request.url': url } }
}

const form: readonly FormSection[] = [
  {
    title: 'Address',
    fields: [
      { path: 'request.url', label: 'URL', kind: 'text', placeholder: 'https://shop.example.com/' },
      { path: 'request.ipFamily', label: 'IP version', kind: 'select', options: ipFamilyOptions },
      { path: 'request.followRedirects', label: 'Follow redirects', kind: 'boolean' },
      {
        path: 'request.skipSSL',
        label: 'Accept any certificate',
        kind: 'boolean',
        help: 'Expired, self-signed and wrong certificates no longer fail the check.',
      },
    ],
  },
  { title: 'Assertions', fields: [{ path: 'request.assertions', label: 'Assertions', kind: 'assertions' }] },
  responseTimeSection('3000', '5000'),
]

/** Addresses that are to answer: one GET, judged by its status code and the time it took. */
export const urlCheckType = defineCheckType<UrlDefinition, HttpEvidence, DefinitionOf<typeof fields>, typeof typePart>({
  type: 'URL',
  path: 'url',
  title: 'URL',
  ...typePart,
  fields,
  storedFields,
  defaults: { degradedResponseTime: 3000, maxResponseTime: 5000 },
  example: { name: 'Front page', frequency: 1, tags: ['shop'], request: { url: 'https://shop.example.com/' } },
  formStart: { request: {} },
  fromText: urlCheckFromText,
  rules: [urlRule],
  secretPaths: [],
  complete: (definition) => ({ ...definition, request: completeUrlRequest(definition.request) }),
  mode: {
    kind: 'scheduled',
    workerClass: 'network',
    frequencies,
    repeatWhenStalled: true,
    needs: () => [],
    certificateHosts: ({ request }) => certificateHosts(request),
    timeoutMs: () => requestTimeoutMs,
  },
  dryRun: true,
  assertions: ({ request }) => request.assertions,
  assertionSources: { STATUS_CODE: statusCodeSource(['EQUALS', 'NOT_EQUALS', 'LESS_THAN', 'GREATER_THAN']) },
  ...httpJudgement,
  toResult: toExchangeResult,
  resultView: httpResultView({}),
  ...httpTarget,
  form,
})
