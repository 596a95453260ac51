import type { EffectiveCheck } from './resolve-check.ts'

/** Whether channels hear nothing of the check at this time: for good, or for a while by the clock of the server. */
export const isMuted = ({ muted, mutedUntil }: Pick<EffectiveCheck, 'muted' | 'mutedUntil'>, nowMs: number): boolean =>
  muted && (mutedUntil === undefined || nowMs < Date.parse(mutedUntil))
