import type { VerbContext } from '../../../access/write.ts'
import type { ApiDeps } from '../../api-deps.ts'
import type { VersionedCheck } from '../check-answer.ts'
import { changeCheck, readKnown, type CheckUpdate } from './change-check.ts'

/** Merges the body into the stored check and returns it. The result must be valid as a whole, or nothing is changed. */
export const updateCheck =
  (deps: ApiDeps) =>
  (ctx: VerbContext, update: CheckUpdate): Promise<VersionedCheck> =>
    deps.write(ctx, { action: 'update', resource: 'checks' }, async (change) => {
      const known = await readKnown(change.client, ctx.accountId, [update.id])
      const { runNow, ...changed } = await changeCheck(deps, change, known, update)
      const announce = () => deps.hooks.checkChanged(update.id, { change: 'updated', runNow })
      return { ...changed, announce }
    })
