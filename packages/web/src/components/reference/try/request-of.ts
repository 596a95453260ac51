import { curlOf } from '../../results/curl-of.ts'
import type { Operation } from '../document/operations.ts'

/** What a reader filled in: values of parameters by name, empty where none is sent, and the body as text. */
export interface Filled {
  values: Readonly<Record<string, string>>
  body: string
}

/** Stands in commands where the reader's own key belongs. */
const keyPlace = 'YOUR_API_KEY'

/** Names of parameters that must be filled in and are not. */
export const missing = ({ parameters }: Operation, { values }: Filled): string[] =>
  parameters.filter(({ name, required }) => required === true && (values[name] ?? '') === '').map(({ name }) => name)

/** Path and query of a call. A path parameter that is not filled in keeps its place: `{id}`. */
export function addressOf({ path, parameters }: Operation, { values }: Filled): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (place, name: string) =>
    (values[name] ?? '') === '' ? place : encodeURIComponent(values[name] ?? ''),
  )
  const query = new URLSearchParams()
  for (const { name, in: where } of parameters)
    if (where === 'query' && (values[name] ?? '') !== '') query.set(name, values[name] ?? '')
  return query.size === 0 ? filled : `${filled}?${query}`
}

/** The call as a command for a shell, to be sent with a key. */
export function commandOf(operation: Operation, filled: Filled, origin: string): string {
  const command = curlOf({
    method: operation.method,
    url: `${origin}${addressOf(operation, filled)}`,
    headers: {
      ...(!operation.isPublic && { Authorization: `Bearer ${keyPlace}` }),
      ...(operation.body && { 'Content-Type': 'application/json' }),
    },
    ...(operation.body && { data: filled.body }),
  })
  return command ?? ''
}
