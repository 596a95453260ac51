import { intervalMs } from '@vedette/wire'
import type { EffectiveCheck } from './resolve-check.ts'

/** Milliseconds between the runs of a check; null for one without a schedule. */
export const periodMsOf = ({
  frequency,
  frequencyOffset,
}: Pick<EffectiveCheck, 'frequency' | 'frequencyOffset'>): number | null =>
  frequency === null ? null : intervalMs({ frequency, frequencyOffset: frequencyOffset ?? 0 })
