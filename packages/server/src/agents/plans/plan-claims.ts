import {
  checkTypeNames,
  locationIdSchema,
  isPlannedTime,
  mostRetries,
  plannedSlots,
  workerClasses,
  type LeaseClaims,
} from '@vedette/wire'
import { attemptId, sequenceId } from '@vedette/wire/ids'
import { z } from 'zod'

/** The content of a verified plan token: which results an agent may report without a lease for each. */
export const planClaims = plannedSlots.extend({
  accountId: z.uuid(),
  revision: z.int(),
  type: z.enum(checkTypeNames),
  workerClass: z.enum(workerClasses),
  location: locationIdSchema,
  timeoutMs: z.number(),
  /** The location key that the plan was made for. */
  keyId: z.string(),
})
export type PlanClaims = z.infer<typeof planClaims>

/** A verified lease. */
export interface Lease extends LeaseClaims {
  /** It is that of a slot of a plan: nobody handed the run out. */
  isPlanned?: true
}

/** The lease that a plan holds for an attempt of the slot at this time; undefined when it holds none. */
export function leaseOfSlot(claims: PlanClaims, dueAt: number, attempt: number): Lease | undefined {
  if (!isPlannedTime(claims, dueAt) || attempt > mostRetries) return undefined
  const { checkId, location, accountId, revision, type, workerClass, timeoutMs, keyId } = claims
  const sequence = sequenceId(checkId, dueAt, location)
  return {
    attemptId: attemptId(sequence, dueAt, attempt),
    sequenceId: sequence,
    accountId,
    checkId,
    revision,
    type,
    workerClass,
    location,
    dueAt,
    attempt,
    source: 'SCHEDULER',
    emulated: false,
    leasedAt: dueAt,
    timeoutMs,
    keyId,
    isPlanned: true,
  }
}
