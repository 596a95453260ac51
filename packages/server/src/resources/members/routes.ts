import {
  accountInviteCreate,
  accountInviteCreated,
  accountMember,
  accountMembersList,
  accountMemberUpdate,
  memberRoles,
  memberStatuses,
} from '@vedette/wire'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { invalidField, notFound } from '../../api-error.ts'
import type { App } from '../../http/build-http.ts'
import { contextOf } from '../../http/callers/verb-context.ts'
import { limitQuery } from '../../http/schemas/paging.ts'
import { uuidParam } from '../../http/schemas/query.ts'
import type { ApiDeps } from '../api-deps.ts'
import { memberVerbs } from './change-members.ts'
import { cursorOf, placeOf } from './cursor.ts'
import { inviteMember } from './invite.ts'
import { listMembers } from './store.ts'

const tags = ['Accounts']

const membersQuery = z.strictObject({
  search: z.string().max(200).optional().describe('Part of an e-mail address or name.'),
  type: z.enum(['member', 'invite']).optional(),
  role: z.enum(memberRoles).optional(),
  status: z.enum(memberStatuses).optional().describe('Members are ACTIVE, invitations PENDING or EXPIRED.'),
  ...limitQuery,
  nextId: z.string().min(1).max(100).optional().describe('The `nextId` of the answer before.'),
})

/** Both ways to name the account of the call. Another account is named with the account header. */
const accounts = [
  { path: '/v1/accounts/me', params: {} },
  { path: '/v1/accounts/:accountId', params: { accountId: uuidParam('account') } },
] as const

type Account = (typeof accounts)[number]

export function memberRoutes(app: App, deps: ApiDeps): void {
  for (const account of accounts) {
    readRoutes(app, deps, account)
    writeRoutes(app, deps, account)
  }
}

function readRoutes(app: App, { db, clock }: ApiDeps, { path, params }: Account): void {
  app.get(
    `${path}/members`,
    {
      config: { access: 'read' },
      schema: {
        tags,
        summary: 'List members and invitations',
        params: z.object(params),
        querystring: membersQuery,
        response: { 200: accountMembersList },
      },
    },
    async (request) => {
      const { accountId: account } = callerOf(request)
      const { limit, nextId, ...filter } = request.query
      const after = nextId === undefined ? undefined : placeOf(nextId)
      if (nextId !== undefined && !after)
        throw invalidField('nextId', 'must be the nextId of an earlier answer', 'query')
      const page = { after, limit: limit + 1, now: new Date(clock.now()) }
      const found = await listMembers(db.pool, filterOf(account, filter), page)
      const members = found.slice(0, limit)
      const last = found.length > limit ? members.at(-1) : undefined
      return {
        members: members.map(({ entry }) => entry),
        length: members.length,
        nextId: last ? cursorOf(last.place) : null,
      }
    },
  )
}

const filterOf = (account: string, { search, type, role, status }: Omit<z.infer<typeof membersQuery>, 'limit'>) => ({
  account,
  search,
  type,
  role,
  status,
})

function writeRoutes(app: App, deps: ApiDeps, { path, params }: Account): void {
  const members = memberVerbs(deps)
  const invite = inviteMember(deps)
  app.post(
    `${path}/members`,
    {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Invite somebody',
        description: 'The link in the answer is for one person, works once and for seven days.',
        params: z.object(params),
        body: accountInviteCreate,
        response: { 201: accountInviteCreated },
      },
    },
    async (request, reply) => reply.code(201).send(await invite(callerOf(request), request.body)),
  )

  const ofMember = z.object({ ...params, userId: uuidParam('member') })
  app.patch(
    `${path}/members/:userId`,
    {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Change the role of a member',
        description: '409 for the last owner or admin.',
        params: ofMember,
        body: accountMemberUpdate,
        response: { 200: accountMember },
      },
    },
    (request) => members.changeRole(callerOf(request), request.params.userId, request.body.role),
  )

  app.delete(
    `${path}/members/:userId`,
    {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Take a member out, or an invitation back',
        description: 'The id is that of the member or of the invitation. 409 for the last owner or admin.',
        params: ofMember,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await members.remove(callerOf(request), request.params.userId)
      return reply.code(204).send()
    },
  )
}

/** The caller, whose account must be the one in the path if that names one. */
function callerOf(
  request: Pick<FastifyRequest, 'principal' | 'id' | 'headers' | 'params'>,
): ReturnType<typeof contextOf> {
  const { accountId } = request.params as { accountId?: string }
  if (accountId !== undefined && accountId !== request.principal.accountId) throw notFound('account')
  return contextOf(request as FastifyRequest)
}
