import { z } from 'zod'
import { notFound } from '../../api-error.ts'
import type { App } from '../../http/build-http.ts'
import { offsetOf, pageQuery, setContentRange } from '../../http/schemas/paging.ts'
import { idParam, uuidParam } from '../../http/schemas/query.ts'
import { sendJson } from '../../http/send-json.ts'
import type { ApiDeps } from '../api-deps.ts'
import { anyCheck, checkAnswers, checkList } from '../checks/index.ts'
import { readGroupRow } from './store.ts'

const tags = ['Check groups']
const params = z.object({ id: idParam('check group') })

/** Checks of a group. Both versions answer the same. */
export function checksOfGroupRoutes(app: App, deps: ApiDeps, version: 1 | 2): void {
  const { db } = deps
  const answers = checkAnswers(deps)

  app.get(
    `/v${version}/check-groups/:id/checks`,
    {
      config: { access: 'read' },
      schema: {
        tags,
        summary: `List the checks of a group (version ${version})`,
        description: 'By their `groupOrder`, with the settings of the group where they count.',
        params,
        querystring: z.strictObject(pageQuery),
        response: { 200: checkList },
      },
    },
    async ({ principal: { accountId: account }, params: { id: groupId }, query }, reply) => {
      if (!(await readGroupRow(db.pool, account, groupId))) throw notFound('check group')
      const page = { limit: query.limit, offset: offsetOf(query) }
      const { json, length, total } = await answers.list(account, groupId, page)
      setContentRange(reply, query, length, total)
      return sendJson(reply, json)
    },
  )

  app.get(
    `/v${version}/check-groups/:id/checks/:checkId`,
    {
      config: { access: 'read' },
      schema: {
        tags,
        summary: `Read a check of a group (version ${version})`,
        description: 'With the settings of the group where they count.',
        params: params.extend({ checkId: uuidParam('check') }),
        response: { 200: anyCheck },
      },
    },
    async ({ principal: { accountId: account }, params: { id: groupId, checkId } }, reply) => {
      const json = await answers.read(account, groupId, checkId)
      if (json === undefined) throw notFound('check of the group')
      return sendJson(reply, json)
    },
  )
}
