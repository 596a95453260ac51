import type { CrossFieldRule } from '@vedette/wire'
import { secretMask } from '../core/secrets/secret-paths.ts'
import type { ApiDefinition } from './fields.ts'

const template = /\{\{\{?[^{}]*\}?\}\}/g
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const headerText = /^[\t\u0020-\u007e\u0080-\u00ff]*$/

/** The address must be http or https once its templates are filled, or begin with one that may hold the scheme. */
export const urlRule: CrossFieldRule<Pick<ApiDefinition, 'request'>> = ({ request: { url } }) => {
  if (url.startsWith('{{')) return []
  const filled = url.replaceAll(template, '1')
  if (/^https?:\/\//i.test(filled) && URL.canParse(filled)) return []
  return [
    {
      path: 'request.url',
      message:
        'must be an http or https address, such as https://example.com/health, or begin with a template such as {{NAME}}',
    },
  ]
}

/** A secret cannot be turned into a plain variable while its value is still the mask. */
export const variablesRule: CrossFieldRule<Pick<ApiDefinition, 'environmentVariables'>> = ({ environmentVariables }) =>
  (environmentVariables ?? []).flatMap(({ value, secret }, index) =>
    secret || value !== secretMask
      ? []
      : [{ path: `environmentVariables.${index}.value`, message: 'is a mask; send the value itself' }],
  )

/**
 * Names must be tokens and values Latin-1 without line breaks. Others could not be sent, or would inject further
 * headers.
 */
export const headersRule: CrossFieldRule<Pick<ApiDefinition, 'request'>> = ({ request }) =>
  request.headers.flatMap(({ key, value }, index) => {
    const path = `request.headers.${index}`
    const name = headerName.test(key) ? [] : [{ path: `${path}.key`, message: `must be a header name, got "${key}"` }]
    if (headerText.test(value)) return name
    const message = 'must not hold line breaks or other characters that headers cannot carry'
    return [...name, { path: `${path}.value`, message }]
  })
