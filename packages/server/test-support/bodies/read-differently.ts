import type { Json } from './write-routes.ts'

export interface Difference {
  path: string
  sent: unknown
  read: unknown
}

/** Members of what was sent that are read back as something else. What was left out may have any default. */
export function readDifferently(sent: unknown, read: unknown, path = ''): Difference[] {
  if (typeof sent !== 'object' || sent === null) return Object.is(sent, read) ? [] : [{ path, sent, read }]
  if (typeof read !== 'object' || read === null) return [{ path, sent, read }]
  if (Array.isArray(sent) && sent.length !== (read as unknown[]).length) return [{ path, sent, read }]
  return Object.entries(sent).flatMap(([name, value]) => {
    const step = Array.isArray(sent) ? '*' : name
    return readDifferently(value, (read as Json)[name], path === '' ? step : `${path}.${step}`)
  })
}
