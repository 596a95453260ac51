import {
  alertChannelHealthResponse,
  alertChannelKindResponse,
  alertChannelResponse,
  alertTestResponse,
  subscriptionResponse,
  subscriptionWrite,
} from '@vedette/wire'
import { z } from 'zod'
import { channelKinds } from '../../alerting/index.ts'
import { notFound } from '../../api-error.ts'
import type { App } from '../../http/build-http.ts'
import type { ApiDeps } from '../api-deps.ts'
import { emptyBody } from '../../http/schemas/empty-body.ts'
import { offsetOf, pageQuery, setContentRange } from '../../http/schemas/paging.ts'
import { idParam } from '../../http/schemas/query.ts'
import { contextOf, setEtag } from '../../http/callers/verb-context.ts'
import { channelWrite, describeKind, secretPaths } from './schema.ts'
import { readChannelHealth } from './health-store.ts'
import { listChannels, readChannel, toChannels } from './store.ts'
import { restoreChannel } from './restore-channel.ts'
import { previewRoutes } from './preview-routes.ts'
import { testChannel } from './send-test.ts'
import { channelVerbs } from './write-channel.ts'

const tags = ['Alert channels']
const params = z.object({ id: idParam('alert channel') })
const write = { access: 'write', secretPaths } as const

export function alertChannelRoutes(app: App, deps: ApiDeps): void {
  readRoutes(app, deps)
  writeRoutes(app, deps)
  restoreRoute(app, deps)
  subscriptionRoute(app, deps)
  testRoute(app, deps)
  previewRoutes(app, deps)
}

function readRoutes(app: App, { db, outgoing }: ApiDeps): void {
  app.get(
    '/v1/alert-channel-kinds',
    {
      config: { access: 'read' },
      schema: { tags, summary: 'List the kinds of channels', response: { 200: z.array(alertChannelKindResponse) } },
    },
    async () => channelKinds.map((kind) => describeKind(kind, outgoing?.settings)),
  )

  app.get(
    '/v1/alert-channel-health',
    {
      config: { access: 'read' },
      schema: {
        tags,
        summary: 'Read whether notifications of the channels arrive',
        response: { 200: z.array(alertChannelHealthResponse) },
      },
    },
    ({ principal: { accountId } }) => readChannelHealth(db.pool, accountId),
  )

  app.get(
    '/v1/alert-channels',
    {
      config: { access: 'read' },
      schema: {
        tags,
        summary: 'List alert channels',
        querystring: z.strictObject(pageQuery),
        response: { 200: z.array(alertChannelResponse) },
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
      schema: { tags, summary: 'Read an alert channel', params, response: { 200: alertChannelResponse } },
    },
    async ({ principal: { accountId }, params: { id } }, reply) => {
      const row = await readChannel(db.pool, accountId, id)
      const [channel] = row ? await toChannels(db.pool, accountId, [row]) : []
      if (!row || !channel) throw notFound('alert channel')
      setEtag(reply, row.version)
      return channel
    },
  )
}

function writeRoutes(app: App, deps: ApiDeps): void {
  const channels = channelVerbs(deps)
  app.post(
    '/v1/alert-channels',
    {
      config: write,
      schema: { tags, summary: 'Create an alert channel', body: channelWrite, response: { 201: alertChannelResponse } },
    },
    async (request, reply) => {
      const { channel, version } = await channels.create(contextOf(request), request.body)
      setEtag(reply.code(201), version)
      return channel
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
        body: channelWrite,
        response: { 200: alertChannelResponse },
      },
    },
    async (request, reply) => {
      const { channel, version } = await channels.replace(contextOf(request), request.params.id, request.body)
      setEtag(reply, version)
      return channel
    },
  )

  app.delete(
    '/v1/alert-channels/:id',
    {
      config: { access: 'write' },
      schema: { tags, summary: 'Delete an alert channel', params, response: { 204: z.undefined() } },
    },
    async (request, reply) => {
      await channels.remove(contextOf(request), request.params.id)
      return reply.code(204).send()
    },
  )
}

function restoreRoute(app: App, deps: ApiDeps): void {
  const restore = restoreChannel(deps)
  app.post(
    '/v1/alert-channels/:id/restore',
    {
      config: { access: 'write' },
      schema: {
        tags,
        summary: 'Bring back an alert channel that was deleted in the last 24 hours',
        params,
        body: emptyBody,
        response: { 200: alertChannelResponse },
      },
    },
    async (request, reply) => {
      const { channel, version } = await restore(contextOf(request), request.params.id)
      setEtag(reply, version)
      return channel
    },
  )
}

function subscriptionRoute(app: App, deps: ApiDeps): void {
  const channels = channelVerbs(deps)
  app.put(
    '/v1/alert-channels/:id/subscriptions',
    {
      config: { access: 'write' },
      schema: {
        tags,
        summary: 'Subscribe a check or a group to an alert channel',
        params,
        body: subscriptionWrite,
        response: { 200: subscriptionResponse },
      },
    },
    (request) => channels.subscribe(contextOf(request), request.params.id, request.body),
  )
}

function testRoute(app: App, deps: ApiDeps): void {
  const test = testChannel(deps)
  app.post(
    '/v1/alert-channels/:id/test',
    {
      config: { access: 'write', errors: [503] },
      schema: {
        tags,
        summary: 'Send a test message',
        params,
        body: emptyBody,
        response: { 200: alertTestResponse },
      },
    },
    (request) => test(contextOf(request), request.params.id),
  )
}
