import { isPrivateLocation, staleAfterMs } from '@vedette/wire'
import type { LossReason } from '../../queue/run-queue.ts'
import { unknownContent, type IncomingResult, type RunRef } from '../../runs.ts'

/** Why a run ended without a result of an agent. */
export type LostBecause = LossReason | 'not-prepared' | 'no-agent'

const words: Record<Exclude<LostBecause, 'no-agent' | 'no-agent-yet'>, { code: string; text: string }> = {
  missed: { code: 'MISSED', text: `No agent of this location took the run within ${staleAfterMs / 60_000} minutes.` },
  'lease-lost': { code: 'LEASE_LOST', text: 'The agent that ran this check was lost before it reported.' },
  'not-prepared': { code: 'NOT_PREPARED', text: 'The server could not prepare the run.' },
}

function wordsOf(because: LostBecause, { location }: RunRef): { code: string; text: string } {
  if (because !== 'no-agent' && because !== 'no-agent-yet') return words[because]
  // The id of a private location says nothing to its owner; the result shows its slug.
  const name = isPrivateLocation(location) ? 'of this run' : location
  if (because === 'no-agent') return { code: 'NO_AGENT', text: `No agent served the location ${name}.` }
  return { code: 'NO_AGENT', text: `The location ${name} has a key, but no agent has ever connected with it.` }
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
    report: unknownContent(wordsOf(because, ref)),
  }
}
