import type { VerbContext } from '../../../access/write.ts'
import { invalidField } from '../../../api-error.ts'
import type { ApiDeps } from '../../api-deps.ts'
import { updateCheck } from './update-check.ts'

const longestDays = 366

/** Throws a 400 when a mute cannot end then. */
export function refuseEndOfMute(until: Date, now: number, path: string): void {
  if (until.getTime() <= now) throw invalidField(path, `must be in the future, got ${until.toISOString()}`)
  if (until.getTime() > now + longestDays * 86_400_000)
    throw invalidField(path, `must be at most ${longestDays} days ahead, got ${until.toISOString()}`)
}

/** Mutes a check until then, or for good: its alerts are recorded, and no channel is notified. */
export const muteCheck =
  (deps: ApiDeps) =>
  async (ctx: VerbContext, id: string, until: Date | null): Promise<{ muted: boolean; mutedUntil: string | null }> => {
    if (until) refuseEndOfMute(until, deps.clock.now(), 'until')
    await updateCheck(deps)(ctx, { id, sent: { muted: true }, mutedUntil: until })
    return { muted: true, mutedUntil: until?.toISOString() ?? null }
  }

/** Ends a mute. Changes nothing of a check that is not muted. */
export const unmuteCheck =
  (deps: ApiDeps) =>
  async (ctx: VerbContext, id: string): Promise<void> =>
    void (await updateCheck(deps)(ctx, { id, sent: { muted: false } }))
