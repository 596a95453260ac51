import { checkGroupCreate, checkGroupResponse, checkGroupUpdate } from '@vedette/wire'
import { z } from 'zod'
import { notFound } from '../../api-error.ts'
import type { App } from '../../http/build-http.ts'
import { contextOf, setEtag } from '../../http/callers/verb-context.ts'
import { offsetOf, pageQuery, setContentRange } from '../../http/schemas/paging.ts'
import { booleanParam, idParam, listParam } from '../../http/schemas/query.ts'
import { groupSecrets } from '../../settings/group-store.ts'
import type { ApiDeps } from '../api-deps.ts'
import { checksOfGroupRoutes } from './check-routes.ts'
import { listGroups, readGroupRow } from './store.ts'
import { answerOf, groupVerbs, toGroups } from './write-group.ts'

const tags = ['Check groups']
const params = z.object({ id: idParam('check group') })
const config = { access: 'write', secretPaths: groupSecrets.secretPaths } as const

const listQuery = z.strictObject({
  ...pageQuery,
  tag: listParam(z.string()).optional().describe('Groups with at least one of the tags.'),
  name: listParam(z.string()).optional().describe('Groups with exactly one of the names.'),
})
const onCreate = z.strictObject({
  autoAssignAlerts: booleanParam()
    .default(true)
    .meta({ default: true, description: 'Subscribe the new group to every alert channel the account has.' }),
})
const onUpdate = z.strictObject({
  autoAssignAlerts: booleanParam().optional().describe('true: subscribe the group to every alert channel.'),
})

export function checkGroupRoutes(app: App, deps: ApiDeps): void {
  readRoutes(app, deps)
  for (const version of [1, 2] as const) {
    writeRoutes(app, deps, version)
    checksOfGroupRoutes(app, deps, version)
  }
  deleteRoute(app, deps)
}

function readRoutes(app: App, { db }: ApiDeps): void {
  app.get(
    '/v1/check-groups',
    {
      config: { access: 'read' },
      schema: {
        tags,
        summary: 'List check groups',
        querystring: listQuery,
        response: { 200: z.array(checkGroupResponse) },
      },
    },
    async ({ principal: { accountId: account }, query }, reply) => {
      const filter = { tags: query.tag ?? [], names: query.name ?? [] }
      const page = { limit: query.limit, offset: offsetOf(query) }
      const { groups, total } = await listGroups(db.pool, { account, filter }, page)
      setContentRange(reply, query, groups.length, total)
      return toGroups(db.pool, groups)
    },
  )

  app.get(
    '/v1/check-groups/:id',
    {
      config: { access: 'read' },
      schema: { tags, summary: 'Read a check group', params, response: { 200: checkGroupResponse } },
    },
    async ({ principal: { accountId }, params: { id } }, reply) => {
      const row = await readGroupRow(db.pool, accountId, id)
      if (!row) throw notFound('check group')
      const { group, version } = await answerOf(db.pool, accountId, row)
      setEtag(reply, version)
      return group
    },
  )
}

const saysOf = {
  1: {
    deprecated: true,
    description:
      'A new group overrides the alert settings of its checks with those of the account. Version 2 does not.',
  },
  2: { description: 'A new group overrides only the settings of its checks that it is told to.' },
} as const

function writeRoutes(app: App, deps: ApiDeps, version: 1 | 2): void {
  const groups = groupVerbs(deps)
  app.post(
    `/v${version}/check-groups`,
    {
      config,
      schema: {
        tags,
        summary: `Create a check group (version ${version})`,
        ...saysOf[version],
        querystring: onCreate,
        body: checkGroupCreate,
        response: { 201: checkGroupResponse },
      },
    },
    async (request, reply) => {
      const { autoAssignAlerts } = request.query
      const created = await groups.create(contextOf(request), { version, sent: request.body, autoAssignAlerts })
      return setEtag(reply.code(201), created.version).send(created.group)
    },
  )

  app.put(
    `/v${version}/check-groups/:id`,
    {
      config,
      schema: {
        tags,
        summary: `Change a check group (version ${version})`,
        description: 'Merges what is sent. Nested objects and lists that are sent replace the stored ones.',
        ...(version === 1 && { deprecated: true }),
        params,
        querystring: onUpdate,
        body: version === 1 ? checkGroupUpdate : checkGroupCreate,
        response: { 200: checkGroupResponse },
      },
    },
    async (request, reply) => {
      const { autoAssignAlerts } = request.query
      const sent = { sent: request.body, autoAssignAlerts }
      const updated = await groups.update(contextOf(request), request.params.id, sent)
      return setEtag(reply, updated.version).send(updated.group)
    },
  )
}

function deleteRoute(app: App, deps: ApiDeps): void {
  const groups = groupVerbs(deps)
  app.delete(
    '/v1/check-groups/:id',
    {
      config: { access: 'write' },
      schema: {
        tags,
        summary: 'Delete a check group',
        description: '409 while it has checks.',
        params,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await groups.remove(contextOf(request), request.params.id)
      return reply.code(204).send()
    },
  )
}
