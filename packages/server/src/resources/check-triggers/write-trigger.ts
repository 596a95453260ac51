import { checkTypeOf } from '@vedette/checks'
import { mintToken } from '../../access/secret-token.ts'
import type { VerbContext } from '../../access/write.ts'
import { conflict } from '../../api-error.ts'
import type { ApiDeps } from '../api-deps.ts'
import { deleteTrigger, lockTarget, triggerStore, type StoredTrigger } from './store.ts'
import { triggerPath, type TriggerKind } from './trigger-kind.ts'

/** A stored trigger as the API returns it. */
export function toTrigger(kind: TriggerKind, stored: StoredTrigger, baseUrl: string) {
  const { accountId: _, target, ...trigger } = stored
  return { ...trigger, [kind.field]: target, url: `${baseUrl}${triggerPath(kind, target, trigger.token)}` }
}

/** Creates and deletes triggers of one kind. */
export const triggerVerbs = (
  kind: TriggerKind,
  { write, vault, baseUrl }: Pick<ApiDeps, 'write' | 'vault' | 'baseUrl'>,
) => {
  const resource = kind.table.replaceAll('_', '-')
  return {
    create(ctx: VerbContext, target: string | number) {
      return write(ctx, { action: 'create', resource }, async ({ client, at, existing }) => {
        const account = ctx.accountId
        const { type } = await existing(kind.noun, lockTarget(client, kind, { account, target }))
        if (type !== null && checkTypeOf(type)?.mode.kind === 'passive')
          throw conflict('The check waits for events: it has no runs.')
        const { raw: token } = mintToken('vdr_')
        const stored = await triggerStore(kind, vault).insert(client, { account, target, token, at })
        if (!stored) throw conflict(`The ${kind.noun} has a trigger already: delete it to get another token.`)
        return {
          id: String(stored.id),
          answer: toTrigger(kind, stored, baseUrl()),
          after: { [kind.field]: target },
        }
      })
    },

    remove(ctx: VerbContext, target: string | number): Promise<undefined> {
      return write(ctx, { action: 'delete', resource }, async ({ client, existing }) => {
        const { id } = await existing('trigger', deleteTrigger(client, kind, { account: ctx.accountId, target }))
        return { id: String(id), answer: undefined, before: { [kind.field]: target } }
      })
    },
  }
}
