import { alertChannelDefaults } from '@vedette/wire'
import type { FastifyRequest } from 'fastify'
import type { PoolClient } from 'pg'
import { sealConfig, unsealConfig } from '../../alerting/channels/sealed-config.ts'
import { notFound } from '../../http/api-error.ts'
import { audit } from '../../http/audit.ts'
import type { ApiDeps } from '../api-deps.ts'
import { checkIfMatch } from '../../http/etag.ts'
import { checkSubscriptions } from './check-subscriptions.ts'
import { kindOf, validConfig } from './channel-config.ts'
import type { ChannelBody } from './schema.ts'
import { insertChannel, readChannel, writeChannel, type ChannelFlags, type ChannelRow } from './store.ts'
import { replaceChannelSubscriptions } from './subscription-store.ts'

/** Flags not sent get their defaults, on a replacement too: a PUT is the whole channel. */
function flagsOf(body: ChannelBody): ChannelFlags {
  const d = alertChannelDefaults
  return {
    sendRecovery: body.sendRecovery ?? d.sendRecovery,
    sendFailure: body.sendFailure ?? d.sendFailure,
    sendDegraded: body.sendDegraded ?? d.sendDegraded,
    sslExpiry: body.sslExpiry ?? d.sslExpiry,
    sslExpiryThreshold: body.sslExpiryThreshold ?? d.sslExpiryThreshold,
    autoSubscribe: body.autoSubscribe ?? d.autoSubscribe,
  }
}

export function createChannel(deps: ApiDeps, request: FastifyRequest, body: ChannelBody): Promise<ChannelRow> {
  const { db, vault, clock } = deps
  const account = request.principal.accountId
  const kind = kindOf(body.type)
  const config = validConfig(kind, body.config, undefined)
  return db.transaction(async (client) => {
    const flags = flagsOf(body)
    const id = await insertChannel(client, account, { type: body.type, flags, at: new Date(clock.now()) })
    const sealed = sealConfig(vault, { account, channelId: id }, kind, config)
    await writeChannel(client, account, id, { type: body.type, ...sealed, flags, updatedAt: null })
    await writeSubscriptions(client, account, id, body)
    await audit(client, request, { action: 'create', resource: 'alert-channels', id: String(id) }, clock.now())
    return found(await readChannel(client, account, id))
  })
}

export function replaceChannel(
  deps: ApiDeps,
  request: FastifyRequest,
  id: number,
  body: ChannelBody,
): Promise<ChannelRow> {
  const { db, vault, clock } = deps
  const account = request.principal.accountId
  const kind = kindOf(body.type)
  const owner = { account, channelId: id }
  return db.transaction(async (client) => {
    const stored = found(await readChannel(client, account, id, true))
    checkIfMatch(request, stored.version)
    const before = stored.type === kind.type ? unsealConfig(vault, owner, kind, stored) : undefined
    const sealed = sealConfig(vault, owner, kind, validConfig(kind, body.config, before))
    const content = { type: body.type, ...sealed, flags: flagsOf(body), updatedAt: new Date(clock.now()) }
    await writeChannel(client, account, id, content)
    await writeSubscriptions(client, account, id, body)
    await audit(client, request, { action: 'update', resource: 'alert-channels', id: String(id) }, clock.now())
    return found(await readChannel(client, account, id))
  })
}

async function writeSubscriptions(
  client: PoolClient,
  account: string,
  channelId: number,
  { subscriptions }: ChannelBody,
): Promise<void> {
  if (!subscriptions) return
  const wanted = await checkSubscriptions(client, account, subscriptions, (index) => `subscriptions.${index}.`)
  await replaceChannelSubscriptions(client, { account, channelId }, wanted)
}

function found(row: ChannelRow | undefined): ChannelRow {
  if (!row) throw notFound('The alert channel')
  return row
}
