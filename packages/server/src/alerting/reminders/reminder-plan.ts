import type { AlertSettings } from '@vedette/wire'

/** Epoch milliseconds at which the next reminder of an alert is due; undefined when there is none. */
export function reminderDueAt(
  last: { reminder: number; createdAt: number },
  { reminders: { amount, interval } }: AlertSettings,
): number | undefined {
  return last.reminder >= amount ? undefined : last.createdAt + interval * 60_000
}
