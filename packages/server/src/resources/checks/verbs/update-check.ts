import type { VerbContext } from '../../../access/write.ts'
import type { ApiDeps } from '../../api-deps.ts'
import type { VersionedCheck } from '../check-answer.ts'
import { changeLocked, lockKnown } from './change-check.ts'
import { theOne } from './each-alone.ts'
import type { CheckUpdate } from './plan-change.ts'

/** Merges the body into the stored check and returns it. The result must be valid as a whole, or nothing is changed. */
export const updateCheck =
  (deps: ApiDeps) =>
  (ctx: VerbContext, update: CheckUpdate): Promise<VersionedCheck> =>
    deps.write(ctx, { action: 'update', resource: 'checks' }, async (change) => {
      const known = await lockKnown(change.client, ctx.accountId, [update])
      const { id, before, after, answer, runNow } = theOne(
        await changeLocked(deps, change, known, { updates: [update], evenSame: true }),
      )
      if (!answer) throw new Error(`The check ${id} was written and cannot be read`)
      const announce = () => deps.hooks.checkChanged(id, { change: 'updated', runNow })
      return { id, before, after, answer, announce }
    })
