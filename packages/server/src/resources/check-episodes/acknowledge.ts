import type { CheckEpisode } from '@vedette/wire'
import type { VerbContext } from '../../access/write.ts'
import { nameOfActor } from '../../access/credential-store.ts'
import { conflict } from '../../api-error.ts'
import type { ApiDeps } from '../api-deps.ts'
import { lockOpenEpisode, readVersion, toEpisodes, writeAcknowledgement, type EpisodeRow } from './store.ts'

const what = { action: 'acknowledge', resource: 'checks' } as const

/**
 * Notes that the caller cares for the trouble that the check is in: no reminders of it are sent from then on. Who did so
 * before is replaced. Throws a 409 when nothing is wrong.
 */
export const acknowledge =
  ({ write, clock, hooks }: ApiDeps) =>
  (ctx: VerbContext, checkId: string): Promise<CheckEpisode> =>
    write(ctx, what, async ({ client, at, existing }) => {
      const of = { account: ctx.accountId, checkId }
      await existing('check', readVersion(client, of))
      const open = await lockOpenEpisode(client, of)
      if (!open) throw conflict('Nothing is wrong with the check now, so there is nothing to acknowledge.')
      const by = await nameOfActor(client, ctx.actor)
      const isSame = open.acknowledged_by === by
      const row = isSame ? open : { ...open, acknowledged_by: by, acknowledged_at: at }
      if (!isSame) await writeAcknowledgement(client, open.id, { by, at })
      const [answer] = await toEpisodes(client, [row], clock.now())
      if (!answer) throw new Error('One episode was read and none came back')
      const announce = () => hooks.acknowledged(ctx.accountId, checkId)
      return { id: checkId, answer, before: said(open), after: said(row), announce }
    })

/** Takes it back: reminders go on. Changes nothing when nobody acknowledged anything. */
export const withdrawAcknowledgement =
  ({ write, hooks }: ApiDeps) =>
  (ctx: VerbContext, checkId: string): Promise<void> =>
    write(ctx, what, async ({ client, existing }) => {
      const of = { account: ctx.accountId, checkId }
      await existing('check', readVersion(client, of))
      const open = await lockOpenEpisode(client, of)
      if (!open) return { id: checkId, answer: undefined, unchanged: true }
      await writeAcknowledgement(client, open.id, null)
      const after = said({ ...open, acknowledged_by: null, acknowledged_at: null })
      const announce = () => hooks.acknowledged(ctx.accountId, checkId)
      return { id: checkId, answer: undefined, before: said(open), after, announce }
    })

const said = ({ id, acknowledged_by, acknowledged_at }: EpisodeRow) => ({
  episodeId: id,
  acknowledgedBy: acknowledged_by,
  acknowledgedAt: acknowledged_at?.toISOString() ?? null,
})
