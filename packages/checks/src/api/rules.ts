import type { CrossFieldRule } from '@vedette/wire'
import type { ApiRequest } from './request-shape.ts'

const template = /\{\{\{?[^{}]*\}?\}\}/g
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const forbiddenInHeader = /[\0\r\n]/

/** The address must be http or https once its templates are filled, or begin with one that may hold the scheme. */
export const urlRule: CrossFieldRule = (definition) => {
  const { url } = definition.request as ApiRequest
  if (url.startsWith('{{')) return []
  const filled = url.replaceAll(template, '1')
  if (/^https?:\/\//i.test(filled) && URL.canParse(filled)) return []
  return [
    { path: 'request.url', message: 'must be an http or https address or begin with a template such as {{NAME}}' },
  ]
}

/** Names must be tokens and values free of line breaks, else the request could be split in two. */
export const headersRule: CrossFieldRule = (definition) => {
  const { headers } = definition.request as ApiRequest
  return headers.flatMap(({ key, value }, index) => {
    const path = `request.headers.${index}`
    const name = headerName.test(key) ? [] : [{ path: `${path}.key`, message: `must be a header name, got "${key}"` }]
    if (!forbiddenInHeader.test(value)) return name
    return [...name, { path: `${path}.value`, message: 'must not contain line breaks or NUL' }]
  })
}
