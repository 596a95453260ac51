import { staleAfterMs } from '@vedette/wire'
import type { LossReason } from '../../queue/run-queue.ts'
import { unknownContent, type IncomingResult, type RunRef } from '../../runs.ts'

/** Why a run ended without a result of an agent. */
export type LostBecause = LossReason | 'not-prepared'

const words: Record<LostBecause, { code: string; text: string }> = {
  missed: { code: 'MISSED', text: `No agent of this location took the run within ${staleAfterMs / 60_000} minutes.` },
  'lease-lost': { code: 'LEASE_LOST', text: 'The agent that ran this check was lost before it reported.' },
  'not-prepared': { code: 'NOT_PREPARED', text: 'The server could not prepare the run.' },
}

/**
 * The result of a run that was lost: final, *not known*, never started. It does not count for or against the target.
 */
export function lostRun(ref: RunRef, because: LostBecause, now: number): IncomingResult {
  const { workerClass: _, ...identity } = ref
  return {
    identity: { ...identity, emulated: false },
    receivedAt: now,
    leasedAt: null,
    report: unknownContent(words[because]),
  }
}
