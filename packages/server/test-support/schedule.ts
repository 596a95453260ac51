import { randomUUID } from 'node:crypto'
import { dueAt, intervalMs, slotAtOrAfter, type Schedule } from '@vedette/wire'
import { Outlook } from '../src/scheduling/outlook.ts'
import type { ScheduledCheck } from '../src/scheduling/schedule-entry.ts'
import { Scheduler, type SchedulerOptions } from '../src/scheduling/scheduler.ts'

/**
 * A new id of a check whose next slot is a quarter to three quarters of its interval away. Slots follow from the id: with
 * any id a test would now and then meet a slot that it does not expect.
 */
export function idDueLater(schedule: Omit<Schedule, 'checkId'>, now: number): string {
  for (;;) {
    const checkId = randomUUID()
    const timed = { ...schedule, checkId }
    const away = (dueAt(timed, slotAtOrAfter(timed, now)) - now) / intervalMs(schedule)
    if (away >= 0.25 && away <= 0.75) return checkId
  }
}

/** A new check that runs every minute at one location, as the schedule knows it. */
export const scheduledCheck = (more: Partial<ScheduledCheck> = {}): ScheduledCheck => ({
  checkId: randomUUID(),
  frequency: 1,
  frequencyOffset: 1,
  accountId: randomUUID(),
  revision: 1,
  type: 'API',
  workerClass: 'network',
  locations: ['eu-west-1'],
  runParallel: false,
  scheduledFrom: 0,
  lastDueAt: undefined,
  usedTo: -Infinity,
  ...more,
})

type SchedulerParts = Pick<SchedulerOptions, 'clock' | 'queue' | 'ledger'> & Partial<SchedulerOptions>

const nothing = () => undefined

/** A scheduler that leads; every location has an agent, and nobody hears what it did not run, unless `parts` says otherwise. */
export const schedulerOf = (parts: SchedulerParts): Scheduler =>
  new Scheduler({
    outlook: new Outlook(),
    availability: {
      hasAgent: () => true,
      isAwaited: () => false,
      isFirstRefusal: () => true,
      leaveOut: nothing,
      slept: nothing,
    },
    leadsForMs: () => Infinity,
    onLost: nothing,
    onOverlap: nothing,
    onSkipped: nothing,
    onDropped: nothing,
    log: { error: nothing },
    ...parts,
  })
