import type { FormField, FormSection } from '../core/check-type.ts'
import { apiMethods, bodyTypes } from './request-shape.ts'

const options = (values: readonly string[]) => values.map((value) => ({ value, label: value }))

const request: readonly FormField[] = [
  { path: 'request.method', label: 'Method', kind: 'select', options: options(apiMethods) },
  { path: 'request.url', label: 'URL', kind: 'text', placeholder: 'https://shop.example.com/health' },
  { path: 'request.headers', label: 'Headers', kind: 'keyValues' },
  { path: 'request.queryParameters', label: 'Query parameters', kind: 'keyValues' },
  { path: 'request.bodyType', label: 'Body type', kind: 'select', options: options(bodyTypes) },
  {
    path: 'request.body',
    label: 'Body',
    kind: 'textarea',
    visibleWhen: { path: 'request.bodyType', oneOf: ['JSON', 'FORM', 'RAW', 'GRAPHQL'] },
  },
  { path: 'request.basicAuth', label: 'Basic authentication', kind: 'basicAuth' },
]

const connection: readonly FormField[] = [
  { path: 'request.followRedirects', label: 'Follow redirects', kind: 'boolean' },
  {
    path: 'request.skipSSL',
    label: 'Accept any certificate',
    kind: 'boolean',
    help: 'Expired, self-signed and wrong certificates no longer fail the check.',
  },
  { path: 'request.ipFamily', label: 'IP version', kind: 'select', options: options(['IPv4', 'IPv6']) },
]

const limits: readonly FormField[] = [
  { path: 'degradedResponseTime', label: 'Degraded over (ms)', kind: 'number', placeholder: '5000' },
  { path: 'maxResponseTime', label: 'Failed over (ms)', kind: 'number', placeholder: '20000' },
]

/** The form of an API check's own fields. */
export const apiForm: readonly FormSection[] = [
  { title: 'Request', fields: request },
  { title: 'Connection', fields: connection },
  { title: 'Assertions', fields: [{ path: 'request.assertions', label: 'Assertions', kind: 'assertions' }] },
  { title: 'Response time', fields: limits },
]
