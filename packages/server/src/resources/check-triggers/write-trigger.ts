import { checkTypeOf } from '@vedette/checks'
import type { CheckTrigger } from '@vedette/wire'
import { mintToken } from '../../access/secret-token.ts'
import type { VerbContext } from '../../access/write.ts'
import { conflict } from '../../api-error.ts'
import type { ApiDeps } from '../api-deps.ts'
import { deleteTrigger, lockCheck, triggerStore, type StoredTrigger } from './store.ts'

const resource = 'check-triggers'

export const triggerPath = (checkId: string, token: string): string => `/checks/${checkId}/trigger/${token}`

/** A stored trigger as the API returns it. */
export const toTrigger = ({ accountId: _, ...trigger }: StoredTrigger, baseUrl: string): CheckTrigger => ({
  ...trigger,
  url: `${baseUrl}${triggerPath(trigger.checkId, trigger.token)}`,
})

/** Creates and deletes the trigger of a check. */
export const triggerVerbs = ({ write, vault, baseUrl }: Pick<ApiDeps, 'write' | 'vault' | 'baseUrl'>) => ({
  create(ctx: VerbContext, checkId: string): Promise<CheckTrigger> {
    return write(ctx, { action: 'create', resource }, async ({ client, at, existing }) => {
      const { type } = await existing('check', lockCheck(client, ctx.accountId, checkId))
      if (checkTypeOf(type)?.mode.kind === 'passive') throw conflict('The check waits for events: it has no runs.')
      const { raw: token } = mintToken('vdr_')
      const stored = await triggerStore(vault).insert(client, { account: ctx.accountId, checkId, token, at })
      if (!stored) throw conflict('The check has a trigger already: delete it to get another token.')
      return { id: String(stored.id), answer: toTrigger(stored, baseUrl()), after: { checkId } }
    })
  },

  remove(ctx: VerbContext, checkId: string): Promise<undefined> {
    return write(ctx, { action: 'delete', resource }, async ({ client, existing }) => {
      const { id } = await existing('trigger', deleteTrigger(client, ctx.accountId, checkId))
      return { id: String(id), answer: undefined, before: { checkId } }
    })
  },
})
