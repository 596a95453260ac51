import { checkTypeOf } from '@vedette/checks'
import type { VerbContext } from '../../../access/write.ts'
import { conflict } from '../../../api-error.ts'
import type { ApiDeps } from '../../api-deps.ts'
import { readCheck } from '../store.ts'

/** Runs a check now, besides its schedule. Throws a 409 with the reason when it cannot run. */
export const runCheck =
  ({ write, hooks }: ApiDeps) =>
  async (ctx: VerbContext, id: string) => {
    await write(ctx, { action: 'run', resource: 'checks' }, async ({ client, existing }) => {
      const stored = await existing('check', readCheck(client, ctx.accountId, id))
      if (checkTypeOf(stored.type)?.mode.kind === 'passive')
        throw conflict('The check waits for events: it has no runs.')
      if (stored.not_runnable !== null) throw conflict(`The check cannot run: ${stored.not_runnable}`)
      if (!stored.activated) throw conflict('The check is paused; activate it to run it.')
      return { id, answer: undefined }
    })
    const run = await hooks.runNow(ctx.accountId, id)
    if (!run) throw conflict('The check cannot run now.')
    return run
  }
