import { z } from 'zod'
import { channelKinds, sendTestMessage } from '../../alerting/index.ts'
import { notFound, unavailable } from '../../http/api-error.ts'
import { audit } from '../../http/audit.ts'
import type { App } from '../../http/build-http.ts'
import type { ApiDeps } from '../api-deps.ts'
import { checkIfMatch, setEtag } from '../../http/etag.ts'
import { offsetOf, pageQuery, setContentRange } from '../../http/paging.ts'
import { idParam } from '../../http/query.ts'
import { checkSubscriptions } from './check-subscriptions.ts'
import {
  channelBody,
  channelResponse,
  describeKind,
  kindResponse,
  secretPaths,
  subscriptionBody,
  subscriptionResponse,
  testResponse,
} from './schema.ts'
import { softDeleteChannel, listChannels, readChannel, toChannels, type ChannelRow } from './store.ts'
import { putSubscription } from './subscription-store.ts'
import { createChannel, replaceChannel } from './write-channel.ts'

const tags = ['Alert channels']
const params = z.object({ id: idParam() })
const write = { access: 'write', secretPaths } as const

export function alertChannelRoutes(app: App, deps: ApiDeps): void {
  readRoutes(app, deps)
  writeRoutes(app, deps)
  subscriptionRoute(app, deps)
  testRoute(app, deps)
}

async function answer({ db }: ApiDeps, account: string, row: ChannelRow) {
  const [channel] = await toChannels(db.pool, account, [row])
  if (!channel) throw notFound('The alert channel')
  return channel
}

function readRoutes(app: App, deps: ApiDeps): void {
  const { db } = deps
  app.get(
    '/v1/alert-channel-kinds',
    {
      config: { access: 'read' },
      schema: { tags, summary: 'List the kinds of channels', response: { 200: z.array(kindResponse) } },
    },
    async () => channelKinds.map(describeKind),
  )

  app.get(
    '/v1/alert-channels',
    {
      config: { access: 'read' },
      schema: {
        tags,
        summary: 'List alert channels',
        querystring: z.strictObject(pageQuery),
        response: { 200: z.array(channelResponse) },
      },
    },
    async ({ principal: { accountId }, query }, reply) => {
      const page = { limit: query.limit, offset: offsetOf(query) }
      const { channels, total } = await listChannels(db.pool, accountId, page)
      setContentRange(reply, query, channels.length, total)
      return toChannels(db.pool, accountId, channels)
    },
  )

  app.get(
    '/v1/alert-channels/:id',
    {
      config: { access: 'read' },
      schema: { tags, summary: 'Read an alert channel', params, response: { 200: channelResponse } },
    },
    async ({ principal: { accountId }, params: { id } }, reply) => {
      const row = await readChannel(db.pool, accountId, id)
      if (!row) throw notFound('The alert channel')
      setEtag(reply, row.version)
      return answer(deps, accountId, row)
    },
  )
}

function writeRoutes(app: App, deps: ApiDeps): void {
  const { db, clock } = deps
  app.post(
    '/v1/alert-channels',
    {
      config: write,
      schema: { tags, summary: 'Create an alert channel', body: channelBody, response: { 201: channelResponse } },
    },
    async (request, reply) => {
      const row = await createChannel(deps, request, request.body)
      setEtag(reply.code(201), row.version)
      return answer(deps, request.principal.accountId, row)
    },
  )

  app.put(
    '/v1/alert-channels/:id',
    {
      config: write,
      schema: {
        tags,
        summary: 'Replace an alert channel',
        params,
        body: channelBody,
        response: { 200: channelResponse },
      },
    },
    async (request, reply) => {
      const row = await replaceChannel(deps, request, request.params.id, request.body)
      setEtag(reply, row.version)
      return answer(deps, request.principal.accountId, row)
    },
  )

  app.delete(
    '/v1/alert-channels/:id',
    {
      config: { access: 'write' },
      schema: { tags, summary: 'Delete an alert channel', params, response: { 204: z.undefined() } },
    },
    async (request, reply) => {
      const {
        principal,
        params: { id },
      } = request
      await db.transaction(async (client) => {
        const row = await readChannel(client, principal.accountId, id, true)
        if (!row) throw notFound('The alert channel')
        checkIfMatch(request, row.version)
        await softDeleteChannel(client, principal.accountId, id, new Date(clock.now()))
        await audit(client, request, { action: 'delete', resource: 'alert-channels', id: String(id) }, clock.now())
      })
      return reply.code(204).send()
    },
  )
}

function subscriptionRoute(app: App, { db, clock }: ApiDeps): void {
  app.put(
    '/v1/alert-channels/:id/subscriptions',
    {
      config: { access: 'write' },
      schema: {
        tags,
        summary: 'Subscribe a check or a group to an alert channel',
        params,
        body: subscriptionBody,
        response: { 200: subscriptionResponse },
      },
    },
    async (request) => {
      const {
        body,
        params: { id },
      } = request
      const account = request.principal.accountId
      return db.transaction(async (client) => {
        if (!(await readChannel(client, account, id, true))) throw notFound('The alert channel')
        const [wanted] = await checkSubscriptions(client, account, [body], () => '')
        if (!wanted) throw new Error('One subscription was sent and none came back')
        await audit(client, request, { action: 'update', resource: 'alert-channels', id: String(id) }, clock.now())
        return putSubscription(client, { account, channelId: id }, wanted)
      })
    },
  )
}

function testRoute(app: App, { db, clock, vault, baseUrl, outgoing }: ApiDeps): void {
  app.post(
    '/v1/alert-channels/:id/test',
    {
      config: { access: 'write' },
      schema: {
        tags,
        summary: 'Send a test message',
        params,
        body: z.strictObject({}).nullish(),
        response: { 200: testResponse },
      },
    },
    async (request) => {
      const {
        principal: { accountId },
        params: { id },
      } = request
      const row = await readChannel(db.pool, accountId, id)
      if (!row) throw notFound('The alert channel')
      if (!outgoing) throw unavailable('This server sends no notifications; ask one that does.', 60)
      await audit(db.pool, request, { action: 'run', resource: 'alert-channels', id: String(id) }, clock.now())
      const channel = { ...row, accountId, channelId: id }
      const outcome = await sendTestMessage(channel, { db, clock, vault, baseUrl, ...outgoing })
      return { accepted: outcome.accepted, status: outcome.status ?? null, response: outcome.response }
    },
  )
}
