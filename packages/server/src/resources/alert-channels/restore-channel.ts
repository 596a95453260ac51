import type { VerbContext } from '../../access/write.ts'
import { notFound } from '../../api-error.ts'
import { restorableSince } from '../../db/restorable.ts'
import type { ApiDeps } from '../api-deps.ts'
import { readChannel, restoreChannel as store } from './store.ts'
import { answerOf, type VersionedChannel } from './write-channel.ts'

/** Brings back a channel that was deleted less than a day ago, as it was. */
export const restoreChannel =
  ({ write }: ApiDeps) =>
  (ctx: VerbContext, id: number): Promise<VersionedChannel> => {
    const account = ctx.accountId
    return write(ctx, { action: 'restore', resource: 'alert-channels' }, async ({ client, at }) => {
      if (!(await store(client, { account, id }, { since: restorableSince(at), at }))) throw notFound('alert channel')
      const answer = await answerOf(client, account, await readChannel(client, account, id))
      return { id: String(id), answer, after: answer.channel }
    })
  }
