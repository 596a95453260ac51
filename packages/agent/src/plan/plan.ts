import {
  isInShare,
  isPlannedSlot,
  jobContentSchema,
  leaseOfPlan,
  sealingContext,
  slotAtOrBefore,
  dueAt,
  staleAfterMs,
  type Job,
  type PlannedCheck,
  type PlanShare,
} from '@vedette/wire'
import { attemptId, sequenceId } from '@vedette/wire/ids'
import type { SealingKeys } from '@vedette/wire/sealing'

/** What the agent runs by itself while no server answers. Immutable. */
export interface Plan {
  version: string
  share: PlanShare
  checks: readonly PlannedCheck[]
}

/** A slot of a planned check that this agent runs. */
export interface PlannedSlot {
  check: PlannedCheck
  dueAt: number
  /** Attempts of its run before. */
  attempt: number
}

/** It takes less time to notice that a server is silent. Slots that were missed meanwhile are run late. */
const noticedMs = 30_000

/**
 * The next slot of the check that falls to this agent, due after `afterMs` and until `toMs` (server time): the oldest of
 * those that were just missed, else only the newest, so that a host that was suspended does not flood its targets.
 */
export function nextSlot(
  { share }: Pick<Plan, 'share'>,
  check: PlannedCheck,
  { afterMs, toMs }: { afterMs: number; toMs: number },
): PlannedSlot | undefined {
  const earliest = Math.max(afterMs + 1, check.from, toMs - staleAfterMs)
  let found: PlannedSlot | undefined
  for (let n = slotAtOrBefore(check, Math.min(toMs, check.until)); ; n--) {
    const due = dueAt(check, n)
    if (due < earliest || (found !== undefined && due < toMs - noticedMs)) return found
    if (isPlannedSlot(check, n) && isInShare(share, check.checkId, n)) found = { check, dueAt: due, attempt: 0 }
  }
}

/** The job of a slot. Throws when its content cannot be opened or read. */
export function jobOfSlot({ check, dueAt: due, attempt }: PlannedSlot, keys: Pick<SealingKeys, 'open'>): Job {
  const { checkId, location, type, workerClass, token, sealed } = check
  const content = jobContentSchema.parse(JSON.parse(keys.open(sealed, sealingContext(check))))
  return {
    ...content,
    attemptId: attemptId(sequenceId(checkId, due, location), due, attempt),
    lease: leaseOfPlan(token, due, attempt),
    leaseExpiresAt: due + content.timeoutMs,
    leasedAt: due,
    checkId,
    type,
    workerClass,
    dueAt: due,
    attempt,
  }
}
