import type { VerbContext } from '../../access/write.ts'
import { releaseGivenUp } from '../../alerting/index.ts'
import { notFound } from '../../api-error.ts'
import { restorableSince } from '../../db/restorable.ts'
import type { ApiDeps } from '../api-deps.ts'
import { readChannel, restoreChannel as store } from './store.ts'
import { answerOf, type VersionedChannel } from './write-channel.ts'

/** Brings back a channel that was deleted less than a day ago, as it was. What it missed and is still true is sent to it. */
export const restoreChannel =
  ({ write }: ApiDeps) =>
  (ctx: VerbContext, id: number): Promise<VersionedChannel> => {
    const account = ctx.accountId
    return write(ctx, { action: 'restore', resource: 'alert-channels' }, async ({ client, at }) => {
      if (!(await store(client, { account, id }, { since: restorableSince(at), at }))) throw notFound('alert channel')
      await releaseGivenUp(client, { account, channelId: id, at })
      const answer = await answerOf(client, account, await readChannel(client, account, id))
      return { id: String(id), answer, after: answer.channel }
    })
  }
