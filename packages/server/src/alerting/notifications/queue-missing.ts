import { mostAheadMs } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import { insertNotifications, readUnaware, type UnawareListener } from './alert-store.ts'
import { isNotified } from './channel-filter.ts'
import type { NewAlert } from './new-alert.ts'
import { notificationRow, type QueuedNotification } from './notification-row.ts'

/** A trouble that lasts after channels were notified of it. */
export interface LastingTrouble {
  /** What the newest bad run says. Id and type are those of the alert that was sent. */
  alert: NewAlert
  /** When that alert was decided, epoch milliseconds. */
  notifiedAt: number
}

/**
 * Queues a notification for every subscribed channel that does not know of a trouble that lasts: those subscribed since,
 * and those that did not accept it. Runs in the transaction that stored the bad run. The alert is the one that was sent,
 * so that reminders go on as they are; the message says what the newest run saw. Returns the number queued by check.
 */
export async function queueMissing(
  client: Queryable,
  troubles: readonly LastingTrouble[],
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  if (troubles.length === 0) return counts
  const byCheck = new Map(troubles.map((trouble) => [trouble.alert.checkId, trouble.alert]))
  const listeners = await readUnaware(
    client,
    troubles.map(({ alert, notifiedAt }) => ({ checkId: alert.checkId, notifiedAt })),
  )
  const missing = listeners.flatMap((listener) => notificationOf(listener, byCheck.get(listener.check_id)) ?? [])
  if (missing.length === 0) return counts
  await insertNotifications(client, missing.map(notificationRow))
  for (const { alert } of missing) counts.set(alert.checkId, (counts.get(alert.checkId) ?? 0) + 1)
  return counts
}

function notificationOf(listener: UnawareListener, newest: NewAlert | undefined): QueuedNotification | undefined {
  if (!newest || newest.accountId !== listener.account_id) return undefined
  const alert: NewAlert = { ...newest, id: listener.alert_id, alertType: listener.alert_type }
  if (!isNotified(listener, alert, true) || !isDueAgain(listener, alert.decidedAt)) return undefined
  return { alert, listener, round: listener.rounds }
}

/** Shorter than the interval of most checks, so that the next bad run tells. */
const firstPauseMs = 30_000
const longestPauseMs = 3_600_000

/**
 * A channel that gave up is told again by the next bad run, half a minute after its newest notification was queued at the
 * earliest, then after twice as long each time and at most an hour. One queued in the future is of a time before the
 * clock was set back.
 */
export function isDueAgain(
  { given_up: givenUp, last_queued_at: lastQueuedAt }: Pick<UnawareListener, 'given_up' | 'last_queued_at'>,
  nowMs: number,
): boolean {
  if (lastQueuedAt === null) return true
  const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.max(0, givenUp - 1))
  const passedMs = nowMs - lastQueuedAt.getTime()
  return passedMs >= pauseMs || passedMs < -mostAheadMs
}
