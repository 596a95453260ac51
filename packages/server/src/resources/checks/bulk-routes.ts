import { bulkResponse, bulkUndoResponse, bulkUndoWrite, bulkWrite } from '@vedette/wire'
import type { App } from '../../http/build-http.ts'
import { contextOf } from '../../http/callers/verb-context.ts'
import type { ApiDeps } from '../api-deps.ts'
import { changeChecksUndoably, undoBulkChange } from './verbs/undo-bulk.ts'

export function bulkRoutes(app: App, deps: ApiDeps): void {
  const [change, undo] = [changeChecksUndoably(deps), undoBulkChange(deps)]
  app.post(
    '/v1/checks/bulk',
    {
      config: { access: 'write' },
      schema: {
        tags: ['Checks'],
        summary: 'Change, delete or restore many checks in the same way',
        description:
          'Up to 1000 checks by their ids, those that a filter finds, or all of the account. Answers for every check whether it was changed, and with a token that takes the changes back. One that is refused keeps no other from being changed. When the server fails, nothing is changed; of more than 1000 checks that a filter finds, each 1000 are changed together.',
        body: bulkWrite,
        response: { 200: bulkResponse },
      },
    },
    (request) => change(contextOf(request), request.body, request.log),
  )

  app.post(
    '/v1/checks/bulk/undo',
    {
      config: { access: 'write', errors: [404] },
      schema: {
        tags: ['Checks'],
        summary: 'Take a change of many checks back',
        description:
          'Within 10 minutes, once, and together. Answers for every check whether it is what it was before; what was changed meanwhile in other ways stays.',
        body: bulkUndoWrite,
        response: { 200: bulkUndoResponse },
      },
    },
    (request) => undo(contextOf(request), request.body.token, request.log),
  )
}
