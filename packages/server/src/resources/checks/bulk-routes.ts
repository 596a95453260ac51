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
        summary: 'Change, delete or restore many checks in the same way',
        description:
          'Up to 1000 checks by their ids, or all of the account. Answers for every check whether it was changed, and with what takes the changes back. Checks are changed twenty at a time; one that is refused keeps no other from being changed.',
        body: bulkWrite,
        response: { 200: bulkResponse },
      },
    },
    (request) => change(contextOf(request), request.body, request.log),
  )
}
