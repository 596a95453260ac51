import type { ApiCheckDefaults, KeyValue } from '@vedette/wire'
import type { ApiDefinition } from './fields.ts'

/** Headers and parameters of the check win over those of the group with the same name; assertions of both count. */
export function withGroupDefaults<Def extends Pick<ApiDefinition, 'request'>>(
  definition: Def,
  defaults: ApiCheckDefaults,
): Def {
  const { request } = definition
  return {
    ...definition,
    request: {
      ...request,
      headers: merged(request.headers, defaults.headers, (name) => name.toLowerCase()),
      queryParameters: merged(request.queryParameters, defaults.queryParameters, (name) => name),
      assertions: [...request.assertions, ...defaults.assertions],
      basicAuth: request.basicAuth ?? defaults.basicAuth,
    },
  }
}

function merged(own: readonly KeyValue[], ofGroup: readonly KeyValue[], nameOf: (key: string) => string): KeyValue[] {
  const names = new Set(own.map(({ key }) => nameOf(key)))
  return [...own, ...ofGroup.filter(({ key }) => !names.has(nameOf(key)))]
}
