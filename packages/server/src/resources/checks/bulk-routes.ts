import { bulkResponse, bulkWrite } from '@vedette/wire'
import type { App } from '../../http/build-http.ts'
import { contextOf } from '../../http/callers/verb-context.ts'
import type { ApiDeps } from '../api-deps.ts'
import { changeChecks } from './verbs/change-checks.ts'

export function bulkRoutes(app: App, deps: ApiDeps): void {
  const change = changeChecks(deps)
  app.post(
    '/v1/checks/bulk',
    {
      config: { access: 'write' },
      schema: {
        tags: ['Checks'],
        summary: 'Change or delete up to 1000 checks in the same way',
        description:
          'Answers for every id whether it was changed. Checks are changed a hundred at a time; one that is refused keeps no other from being changed.',
        body: bulkWrite,
        response: { 200: bulkResponse },
      },
    },
    (request) => change(contextOf(request), request.body),
  )
}
