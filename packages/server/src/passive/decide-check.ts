import type { AnyCheckType, Definition, PassiveEvent, PassiveMode, PassiveResult } from '@vedette/checks'
import { passiveReport } from '@vedette/checks/passive'
import type { ResultIdentity } from '@vedette/wire'
import { attemptId, sequenceId } from '@vedette/wire/ids'
import { unknownContent, type IncomingResult } from '../runs.ts'
import type { Gap } from '../scheduling/store.ts'
import type { Progress } from './store.ts'

/** Delay after a check could not be read, its type threw or a result was refused: all are rare, and tried on rarely. */
export const brokenMs = 60_000

/** An activated check of a passive type. */
export interface PassiveCheck {
  checkId: string
  accountId: string
  revision: number
  /** Complete, secrets in the clear. */
  definition: Definition
  type: AnyCheckType
  mode: PassiveMode<Definition, unknown>
}

/** An activated check of a passive type about which nothing can be decided now. */
export interface UnreadableCheck extends Pick<PassiveCheck, 'checkId' | 'accountId' | 'revision' | 'type'> {
  /** Why it cannot be read. */
  problem: string
}

/** The data a decision about a check is based on. */
export interface Known {
  progress: Progress
  events: readonly PassiveEvent[]
  gaps: readonly Gap[]
  /** More events have arrived than are in `events`. */
  isCut: boolean
}

/** The decision about a check. */
export interface Decided {
  checkId: string
  results: IncomingResult[]
  /** When to decide again, in epoch milliseconds; null when only an event can change the decision. */
  lookAgainAt: number | null
}

/**
 * Makes results of the type's decision. With `isCut` it decides as of the last event; the next step decides the rest.
 */
export function decideCheck(check: PassiveCheck, known: Known, nowMs: number): Decided {
  const { progress, events, isCut } = known
  const { startedAt, lastDueAt } = progress
  const lastEventAt = events.at(-1)?.at ?? 0
  // After a clock rewind, time continues from the newest stored time.
  const asOf = isCut ? lastEventAt : Math.max(nowMs, lastEventAt, lastDueAt ?? 0)
  const oldest = Math.min(startedAt, lastDueAt ?? startedAt, events[0]?.at ?? startedAt)
  const gaps = known.gaps.filter(({ from, to }) => to > oldest && from < asOf).map(({ from, to }) => ({ from, to }))
  const { results, lookAgainAt } = check.mode.decide({ startedAt, events, lastDueAt, gaps }, asOf, check.definition)
  return {
    checkId: check.checkId,
    results: results.map((result) => incomingResult(check, result, nowMs)),
    lookAgainAt: isCut ? nowMs : lookAgainAt,
  }
}

/** The decision that the check is *not known* at this moment. */
export function notDecided(check: UnreadableCheck, { lastDueAt }: Progress, nowMs: number): Decided {
  const dueAt = Math.max(nowMs, (lastDueAt ?? 0) + 1)
  const text = `Nothing could be decided about this check: ${check.problem}`
  const report = unknownContent({ code: 'NOT_DECIDED', text })
  return {
    checkId: check.checkId,
    results: [{ identity: identityOf(check, dueAt), report, receivedAt: nowMs, leasedAt: null }],
    lookAgainAt: nowMs + brokenMs,
  }
}

function incomingResult(check: PassiveCheck, result: PassiveResult<unknown>, nowMs: number): IncomingResult {
  return {
    identity: identityOf(check, result.dueAt),
    report: { ...passiveReport(check.type, check.definition, result), clockOffsetMs: 0, replayed: false },
    receivedAt: nowMs,
    leasedAt: null,
  }
}

function identityOf(
  { checkId, accountId, revision, type }: Omit<UnreadableCheck, 'problem'>,
  dueAt: number,
): ResultIdentity {
  const sequence = sequenceId(checkId, dueAt, null)
  return {
    attemptId: attemptId(sequence, dueAt, 0),
    sequenceId: sequence,
    accountId,
    checkId,
    revision,
    type: type.type,
    dueAt,
    location: null,
    attempt: 0,
    source: 'PASSIVE',
    emulated: false,
  }
}
