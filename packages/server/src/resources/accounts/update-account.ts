import { completeAlertSettings, type AccountUpdate } from '@vedette/wire'
import type { VerbContext } from '../../access/write.ts'
import type { ApiDeps } from '../api-deps.ts'
import { lockAccount, updateAccount as store } from './store.ts'

/** Changes the settings that all checks of the account share. */
export const updateAccount =
  ({ write }: ApiDeps) =>
  (ctx: VerbContext, { name, alertSettings, defaultLocations }: AccountUpdate) =>
    write(ctx, { action: 'update', resource: 'accounts' }, async ({ client, at, existing }) => {
      const before = await existing('The account', lockAccount(client, ctx.accountId))
      const change = {
        ...(name !== undefined && { name }),
        ...(alertSettings && { alertSettings: completeAlertSettings(alertSettings) }),
        ...(defaultLocations && { defaultLocations }),
        at,
      }
      const after = await existing('The account', store(client, ctx.accountId, change))
      return { id: ctx.accountId, answer: after, before, after }
    })
