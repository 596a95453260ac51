import {
  isInShare,
  isPlannedSlot,
  jobContentSchema,
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
}

/**
 * The newest slot of the check that falls to this agent, due after `afterMs` and until `toMs` (server time). Only the
 * newest: slots that were missed while nobody noticed that the server is away are not run one after another.
 */
export function newestSlot(
  { share }: Pick<Plan, 'share'>,
  check: PlannedCheck,
  { afterMs, toMs }: { afterMs: number; toMs: number },
): PlannedSlot | undefined {
  const earliest = Math.max(afterMs + 1, check.from, toMs - staleAfterMs)
  for (let n = slotAtOrBefore(check, Math.min(toMs, check.until)); ; n--) {
    const due = dueAt(check, n)
    if (due < earliest) return undefined
    if (isPlannedSlot(check, n) && isInShare(share, check.checkId, n)) return { check, dueAt: due }
  }
}

/** The job of a slot. Throws when its content cannot be opened or read. */
export function jobOfSlot({ check, dueAt: due }: PlannedSlot, keys: Pick<SealingKeys, 'open'>): Job {
  const { checkId, location, type, workerClass, token, sealed } = check
  const content = jobContentSchema.parse(JSON.parse(keys.open(sealed, sealingContext(check))))
  return {
    ...content,
    attemptId: attemptId(sequenceId(checkId, due, location), due, 0),
    lease: `${token}.${due}`,
    leaseExpiresAt: due + content.timeoutMs,
    leasedAt: due,
    checkId,
    type,
    workerClass,
    dueAt: due,
    attempt: 0,
  }
}
