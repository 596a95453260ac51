import { completeAlertSettings, type AccountUpdate } from '@vedette/wire'
import type { VerbContext } from '../../access/write.ts'
import { resolveChecks } from '../../settings/store.ts'
import type { ApiDeps } from '../api-deps.ts'
import { lockAccount, updateAccount as store } from './store.ts'

/** Changes the settings that all checks of the account share. */
export const updateAccount =
  ({ write, hooks }: ApiDeps) =>
  (ctx: VerbContext, { name, alertSettings, defaultLocations }: AccountUpdate) =>
    write(ctx, { action: 'update', resource: 'accounts' }, async ({ client, at, existing }) => {
      const before = await existing('account', lockAccount(client, ctx.accountId))
      const change = {
        ...(name !== undefined && { name }),
        ...(alertSettings && { alertSettings: completeAlertSettings(alertSettings) }),
        ...(defaultLocations && { defaultLocations }),
        at,
      }
      const after = await existing('account', store(client, ctx.accountId, change))
      const checkIds =
        alertSettings || defaultLocations ? (await resolveChecks(client, { account: ctx.accountId, at })).changed : []
      const announce = () => (checkIds.length === 0 ? undefined : hooks.checksChanged(checkIds))
      return { id: ctx.accountId, answer: after, before, after, announce }
    })
