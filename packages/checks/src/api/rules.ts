import type { CrossFieldRule } from '@vedette/wire'
import type { ApiDefinition } from './fields.ts'

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const headerText = /^[\t\u0020-\u007e\u0080-\u00ff]*$/

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
