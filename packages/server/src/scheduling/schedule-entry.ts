import {
  handedOutAheadMs,
  intervalMs,
  phaseMs,
  locationsOfSlot,
  staleAfterMs,
  type CheckTypeName,
  type LocationId,
  type RunSource,
  type WorkerClass,
  type Schedule,
} from '@vedette/wire'
import { attemptId, sequenceId } from '@vedette/wire/ids'
import type { RunRef } from '../runs.ts'

/** The data from which the slots of an activated check are computed. */
export interface ScheduledCheck extends Schedule {
  accountId: string
  revision: number
  type: CheckTypeName
  workerClass: WorkerClass
  /** All locations in the order round-robin uses them. */
  locations: readonly LocationId[]
  runParallel: boolean
  /** Slots before this are not run: the check was another one then, or did not exist. */
  scheduledFrom: number
  /** Due time of the newest final result. */
  lastDueAt: number | undefined
  /** Due time of the newest result by the clock: after it was set back, that is later than `lastDueAt`. */
  usedTo: number
}

/** A precomputed schedule for a hot path: slot n is due at n × interval + phase. */
export interface Timetable {
  interval: number
  phase: number
}

export const timetableOf = (schedule: Schedule): Timetable => ({
  interval: intervalMs(schedule),
  phase: phaseMs(schedule),
})

export const dueOf = ({ interval, phase }: Timetable, slot: number): number => slot * interval + phase
export const latestSlot = ({ interval, phase }: Timetable, atMs: number): number =>
  Math.floor((atMs - phase) / interval)
export const comingSlot = ({ interval, phase }: Timetable, atMs: number): number => Math.ceil((atMs - phase) / interval)

/** True when nothing ran since the check was created or changed, and its next slot is too far away to wait for. */
export function awaitsFirstRun(check: ScheduledCheck, now: number): boolean {
  if ((check.lastDueAt ?? -Infinity) >= check.scheduledFrom) return false
  const timetable = timetableOf(check)
  return dueOf(timetable, comingSlot(timetable, now)) - now >= staleAfterMs
}

/** What to run of a check whose slots are due. */
export interface DueSlots {
  /** The slot to run; undefined when even the latest is too old. */
  slot: number | undefined
  /** First and last due time of the slots that are not run. */
  skipped: { from: number; to: number } | undefined
  /** The next slot to wait for. */
  next: number
}

/** Of the slots from `slot` up to now only the latest is run, so that a suspended host does not flood its targets. */
export function dueSlots(timetable: Timetable, slot: number, now: number): DueSlots {
  const latest = Math.max(slot, latestSlot(timetable, now))
  const isFresh = now - dueOf(timetable, latest) < staleAfterMs
  const lastSkipped = isFresh ? latest - 1 : latest
  return {
    slot: isFresh ? latest : undefined,
    skipped: lastSkipped < slot ? undefined : { from: dueOf(timetable, slot), to: dueOf(timetable, lastSkipped) },
    next: latest + 1,
  }
}

/** After a pause each check runs its latest slot if it did not run and is recent enough; else it waits for the next. */
export function firstSlot(
  check: ScheduledCheck,
  timetable: Timetable,
  { watermark, now }: { watermark: number | undefined; now: number },
): number {
  const latest = latestSlot(timetable, now)
  const due = dueOf(timetable, latest)
  const seenTo = Math.max(watermark ?? now, check.scheduledFrom, check.lastDueAt ?? -Infinity)
  if (due > seenTo && now - due < staleAfterMs) return latest
  // Slots handed out ahead before a short pause. What is further ahead is of before the clock was set back.
  const handedOutTo = seenTo <= now + handedOutAheadMs ? seenTo : now
  return Math.max(latest, latestSlot(timetable, handedOutTo)) + 1
}

/** The first attempts of one slot, one for each of its locations. */
export const refsOfSlot = (check: ScheduledCheck, slot: number, due: number): RunRef[] =>
  refsAt(check, { dueAt: due, locations: locationsOfSlot(check, slot), source: 'SCHEDULER' })

/** The first attempts of a run at a time and locations. */
export function refsAt(
  check: Omit<ScheduledCheck, 'scheduledFrom' | 'lastDueAt' | 'usedTo'>,
  run: { dueAt: number; locations: readonly LocationId[]; source: RunSource },
): RunRef[] {
  return run.locations.map((location) => {
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
      workerClass: check.workerClass,
      attempt: 0,
      source: run.source,
    }
  })
}

/** True when a slot of the check is due at exactly this millisecond. */
export const isSlotTime = (schedule: Schedule, atMs: number): boolean =>
  (atMs - phaseMs(schedule)) % intervalMs(schedule) === 0
