import type { AlertTest } from '@vedette/wire'
import type { VerbContext } from '../../access/write.ts'
import { sendTestMessage } from '../../alerting/index.ts'
import { notFound, unavailable } from '../../api-error.ts'
import type { ApiDeps } from '../api-deps.ts'
import { noteAcceptedTest, readChannel } from './store.ts'

/** Sends a test message and returns its outcome. */
export const testChannel =
  ({ db, clock, vault, write, baseUrl, outgoing }: ApiDeps) =>
  async (ctx: VerbContext, id: number): Promise<AlertTest> => {
    const row = await readChannel(db.pool, ctx.accountId, id)
    if (!row) throw notFound('alert channel')
    if (!outgoing) throw unavailable('This server sends no notifications; ask one that does.', 60)
    await write(ctx, { action: 'run', resource: 'alert-channels' }, async () => ({ id: String(id), answer: undefined }))
    const channel = { ...row, accountId: ctx.accountId, channelId: id }
    const outcome = await sendTestMessage(channel, { db, clock, vault, baseUrl, ...outgoing })
    if (outcome.accepted) await noteAcceptedTest(db.pool, ctx.accountId, id, new Date(clock.now()))
    return { accepted: outcome.accepted, status: outcome.status ?? null, response: outcome.response }
  }
