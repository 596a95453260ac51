import type { FormField, FormSection } from '../core/check-type.ts'
import { apiMethods, bodyTypes } from './request-shape.ts'

const options = (values: readonly string[]) => values.map((value) => ({ value, label: value }))

const request: readonly FormField[] = [
  { path: 'request.method', label: 'Method', kind: 'select', options: options(apiMethods) },
  { path: 'request.url', label: 'URL', kind: 'text', placeholder: 'https://shop.example.com/health' },
  { path: 'request.queryParameters', label: 'Query parameters', kind: 'keyValues', item: 'parameter', tab: 'Params' },
  { path: 'request.headers', label: 'Headers', kind: 'keyValues', item: 'header', tab: 'Headers' },
  { path: 'request.bodyType', label: 'Body type', kind: 'select', options: options(bodyTypes), tab: 'Body' },
  {
    path: 'request.body',
    label: 'Body',
    kind: 'textarea',
    visibleWhen: { path: 'request.bodyType', oneOf: ['JSON', 'FORM', 'RAW', 'GRAPHQL'] },
    tab: 'Body',
  },
  { path: 'request.basicAuth', label: 'Basic authentication', kind: 'basicAuth', tab: 'Auth' },
  { path: 'request.followRedirects', label: 'Follow redirects', kind: 'boolean', tab: 'Connection' },
  {
    path: 'request.skipSSL',
    label: 'Accept any certificate',
    kind: 'boolean',
    help: 'Expired, self-signed and wrong certificates no longer fail the check.',
    tab: 'Connection',
  },
  {
    path: 'request.ipFamily',
    label: 'IP version',
    kind: 'select',
    options: options(['IPv4', 'IPv6']),
    tab: 'Connection',
  },
]

const limits: readonly FormField[] = [
  { path: 'degradedResponseTime', label: 'Degraded over (ms)', kind: 'number', placeholder: '5000' },
  { path: 'maxResponseTime', label: 'Failed over (ms)', kind: 'number', placeholder: '20000' },
]

/** The part of a form that asks for code around requests. Groups have these fields for all their API checks. */
export const setupSection: FormSection = {
  title: 'Setup and teardown',
  note: 'This version cannot run scripts. What has one is kept, waits, and starts by itself with a version that can.',
  fields: [
    { path: 'setupSnippetId', label: 'Setup snippet', kind: 'snippet', help: 'Runs before the request.' },
    { path: 'tearDownSnippetId', label: 'Teardown snippet', kind: 'snippet', help: 'Runs after the request.' },
    { path: 'localSetupScript', label: 'Code before the request', kind: 'code', tab: 'Setup script' },
    { path: 'localTearDownScript', label: 'Code after the request', kind: 'code', tab: 'Teardown script' },
  ],
}

/** The form of an API check's own fields. */
export const apiForm: readonly FormSection[] = [
  { title: 'Request', fields: request },
  { title: 'Assertions', fields: [{ path: 'request.assertions', label: 'Assertions', kind: 'assertions' }] },
  { title: 'Response time', fields: limits },
  setupSection,
]
