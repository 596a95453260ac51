import type { Queryable } from '../../db/database.ts'
import { endParting, insertAlerts, insertNotifications, readListeners, type Listener } from './alert-store.ts'
import type { NewAlert } from './new-alert.ts'
import { notificationRow, type QueuedNotification } from './notification-row.ts'
import { isNotified, lineOf, type NotificationLine } from './channel-filter.ts'

/**
 * Records alerts and queues a notification for every channel to be notified. Runs inside the transaction that decided
 * them. Repeating it changes nothing. Returns the number of notifications queued now.
 */
export async function queueNotifications(client: Queryable, alerts: readonly NewAlert[]): Promise<number> {
  if (alerts.length === 0) return 0
  const loud = alerts.filter((alert) => !alert.muted)
  // Read first: a recovery that is recorded ends the trouble that it is about.
  const listeners =
    loud.length === 0 ? [] : await readListeners(client, [...new Set(loud.map(({ checkId }) => checkId))])
  await insertAlerts(client, alerts)
  const ended = alerts
    .filter(({ alertType }) => alertType.endsWith('RECOVERY'))
    .map(({ checkId, alertType }) => ({ checkId, line: lineOf(alertType) }))
  if (ended.length > 0) await endParting(client, ended)
  const rows = notificationsOf(loud, listeners)
  return rows.length === 0 ? 0 : insertNotifications(client, rows.map(notificationRow))
}

/** Earlier alerts of the batch count for the later ones: they change what a channel knows of. */
function notificationsOf(alerts: readonly NewAlert[], listeners: readonly Listener[]): QueuedNotification[] {
  const aware = new Set(listeners.flatMap((listener) => linesOf(listener).map((line) => keyOf(listener, line))))
  return alerts.flatMap((alert) =>
    listeners
      .filter((listener) => listener.check_id === alert.checkId && listener.account_id === alert.accountId)
      .filter((listener) => {
        const line = lineOf(alert.alertType)
        const key = keyOf(listener, line)
        const isEnd = alert.alertType.endsWith('RECOVERY')
        // A parted channel has a listener for each trouble that it knows of.
        if (listener.parted_line !== null && !(isEnd && listener.parted_line === line && aware.has(key))) return false
        const notified = isNotified(listener, alert, aware.has(key))
        if (isEnd) aware.delete(key)
        else if (notified) aware.add(key)
        return notified
      })
      .map((listener) => ({ alert, listener })),
  )
}

const linesOf = (listener: Listener): NotificationLine[] => [
  ...(listener.notified_of_trouble ? (['state'] as const) : []),
  ...(listener.notified_of_unknown ? (['watch'] as const) : []),
]

const keyOf = (listener: Listener, line: NotificationLine): string =>
  `${listener.check_id} ${listener.channel_id} ${line}`
