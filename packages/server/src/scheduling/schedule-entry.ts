import {
  dueAt,
  intervalMs,
  phaseMs,
  placesOfSlot,
  slotAtOrBefore,
  type CheckTypeName,
  type Lane,
  type Schedule,
} from '@vedette/wire'
import { attemptId, sequenceId } from '@vedette/wire/ids'
import type { RunRef, RunSource } from '../runs.ts'

/** A slot is run when it is at most this old; after that it belongs to a gap. */
export const oldestSlotMs = 6 * 60_000

/** What the schedule of an activated check follows from. */
export interface ScheduledCheck extends Schedule {
  accountId: string
  revision: number
  type: CheckTypeName
  lane: Lane
  /** All places in the order round-robin visits them. */
  locations: readonly string[]
  runParallel: boolean
  /** No slot before this is owed: the check was another one then, or none. */
  owedFrom: number
  /** Due time of the newest final result. */
  lastDueAt: number | undefined
}

/** What is to be done about a check whose time has come. */
export interface DueSlots {
  /** The slot to run; undefined when even the latest is too old. */
  slot: number | undefined
  /** First and last due time of the slots that are not run. */
  skipped: { from: number; to: number } | undefined
  /** The next slot to wait for. */
  next: number
}

/** Of the slots from `slot` up to now only the latest is run: a host that slept must not flood its targets. */
export function dueSlots(schedule: Schedule, slot: number, now: number): DueSlots {
  const latest = Math.max(slot, slotAtOrBefore(schedule, now))
  const isFresh = now - dueAt(schedule, latest) < oldestSlotMs
  const lastSkipped = isFresh ? latest - 1 : latest
  return {
    slot: isFresh ? latest : undefined,
    skipped: lastSkipped < slot ? undefined : { from: dueAt(schedule, slot), to: dueAt(schedule, lastSkipped) },
    next: latest + 1,
  }
}

/** The first attempts of one slot, one for each of its places. */
export const refsOfSlot = (check: ScheduledCheck, slot: number): RunRef[] =>
  refsAt(check, { dueAt: dueAt(check, slot), places: placesOfSlot(check, slot), source: 'SCHEDULER' })

/** The first attempts of a run at a time and places. */
export function refsAt(
  check: Omit<ScheduledCheck, 'owedFrom' | 'lastDueAt'>,
  run: { dueAt: number; places: readonly string[]; source: RunSource },
): RunRef[] {
  return run.places.map((location) => {
    const sequence = sequenceId(check.checkId, run.dueAt, location)
    return {
      attemptId: attemptId(sequence, run.dueAt, 0),
      sequenceId: sequence,
      accountId: check.accountId,
      checkId: check.checkId,
      revision: check.revision,
      type: check.type,
      dueAt: run.dueAt,
      location,
      lane: check.lane,
      attempt: 0,
      source: run.source,
    }
  })
}

/** True when a slot of the check is due at this very millisecond. */
export const isSlotTime = (schedule: Schedule, atMs: number): boolean =>
  (atMs - phaseMs(schedule)) % intervalMs(schedule) === 0
