import { alertChannelDefaults, type AlertChannel, type AlertChannelWrite } from '@vedette/wire'
import type { PoolClient } from 'pg'
import type { Change, VerbContext } from '../../access/write.ts'
import { sealConfig, unsealConfig } from '../../alerting/channels/sealed-config.ts'
import { notFound } from '../../api-error.ts'
import type { ApiDeps } from '../api-deps.ts'
import { kindOf, validConfig } from './channel-config.ts'
import { checkSubscriptions, type SentSubscription } from './check-subscriptions.ts'
import {
  insertChannel,
  readChannel,
  softDeleteChannel,
  toChannels,
  writeChannel,
  type ChannelFlags,
  type ChannelRow,
} from './store.ts'
import { putSubscription, replaceChannelSubscriptions } from './subscription-store.ts'

const resource = 'alert-channels'

/** A channel as the API returns it, and its version. */
export interface VersionedChannel {
  channel: AlertChannel
  version: number
}

/** Makes alert channels, replaces and deletes them, and subscribes checks to them. */
export function channelVerbs({ write, vault }: ApiDeps) {
  return {
    create(ctx: VerbContext, body: AlertChannelWrite): Promise<VersionedChannel> {
      const account = ctx.accountId
      const kind = kindOf(body.type)
      const config = validConfig(kind, body.config, undefined)
      return write(ctx, { action: 'create', resource }, async ({ client, at }) => {
        const flags = flagsOf(body)
        const id = await insertChannel(client, account, { type: body.type, flags, at })
        const sealed = sealConfig(vault, { account, channelId: id }, kind, config)
        await writeChannel(client, account, id, { type: body.type, ...sealed, flags, updatedAt: null })
        await writeSubscriptions(client, account, id, body)
        const answer = await answerOf(client, account, await readChannel(client, account, id))
        return { id: String(id), answer, after: answer.channel }
      })
    },

    replace(ctx: VerbContext, id: number, body: AlertChannelWrite): Promise<VersionedChannel> {
      const account = ctx.accountId
      const kind = kindOf(body.type)
      const owner = { account, channelId: id }
      return write(ctx, { action: 'update', resource }, async (change) => {
        const { client, at } = change
        const { stored, before } = await lockChannel(change, account, id)
        const secrets = stored.type === kind.type ? unsealConfig(vault, owner, kind, stored) : undefined
        const sealed = sealConfig(vault, owner, kind, validConfig(kind, body.config, secrets))
        await writeChannel(client, account, id, { type: body.type, ...sealed, flags: flagsOf(body), updatedAt: at })
        await writeSubscriptions(client, account, id, body)
        const answer = await answerOf(client, account, await readChannel(client, account, id))
        return { id: String(id), answer, before, after: answer.channel }
      })
    },

    remove(ctx: VerbContext, id: number) {
      return write(ctx, { action: 'delete', resource }, async (change) => {
        const { before } = await lockChannel(change, ctx.accountId, id)
        await softDeleteChannel(change.client, ctx.accountId, id, change.at)
        return { id: String(id), answer: undefined, before }
      })
    },

    /** Subscribes a check or group, or changes its subscription. */
    subscribe(ctx: VerbContext, id: number, sent: SentSubscription) {
      const account = ctx.accountId
      return write({ ...ctx, ifMatch: undefined }, { action: 'update', resource }, async (change) => {
        const { client } = change
        const { stored, before } = await lockChannel(change, account, id)
        const [wanted] = await checkSubscriptions(client, account, [sent], () => '')
        if (!wanted) throw new Error('One subscription was sent and none came back')
        const { channelId: _, ...answer } = await putSubscription(client, { account, channelId: id }, wanted)
        const { channel: after } = await answerOf(client, account, stored)
        return { id: String(id), answer, before, after }
      })
    },
  }
}

/** Flags that were not sent get their defaults, on a replacement too: a PUT is the whole channel. */
function flagsOf(body: AlertChannelWrite): ChannelFlags {
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

async function lockChannel({ client, existing }: Change, account: string, id: number) {
  const stored = await existing('alert channel', readChannel(client, account, id, true))
  const { channel: before } = await answerOf(client, account, stored)
  return { stored, before }
}

/** The channel with its subscriptions. Throws a 404 when there is none. */
export async function answerOf(
  client: PoolClient,
  account: string,
  row: ChannelRow | undefined,
): Promise<VersionedChannel> {
  const [channel] = row ? await toChannels(client, account, [row]) : []
  if (!row || !channel) throw notFound('alert channel')
  return { channel, version: row.version }
}

async function writeSubscriptions(
  client: PoolClient,
  account: string,
  channelId: number,
  { subscriptions }: AlertChannelWrite,
): Promise<void> {
  if (!subscriptions) return
  const wanted = await checkSubscriptions(client, account, subscriptions, (index) => `subscriptions.${index}.`)
  await replaceChannelSubscriptions(client, { account, channelId }, wanted)
}
