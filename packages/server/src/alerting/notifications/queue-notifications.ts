import type { Queryable } from '../../db/database.ts'
import { insertAlerts, insertNotifications, readListeners, type Listener } from './alert-store.ts'
import { notificationIdOf, type NewAlert } from './new-alert.ts'
import { isNotified } from './channel-filter.ts'

/** What the ledger stores of an alert for its notification: every value it may print, as of the decision. */
export type AlertMessage = Omit<NewAlert, 'muted' | 'checkType'> & {
  /** null for an alert of the installation itself; `checkId` is then that of the trouble. */
  checkType: NewAlert['checkType'] | null
  system?: SystemWords
}

/** What an alert of the installation itself says. */
export interface SystemWords {
  title: string
  advice: string
}

/**
 * Records alerts and queues a notification for every channel to be notified. Runs inside the transaction that decided
 * them. Repeating it changes nothing. Returns the number of notifications queued now.
 */
export async function queueNotifications(client: Queryable, alerts: readonly NewAlert[]): Promise<number> {
  if (alerts.length === 0) return 0
  await insertAlerts(client, alerts)
  const loud = alerts.filter((alert) => !alert.muted)
  if (loud.length === 0) return 0
  const listeners = await readListeners(client, [...new Set(loud.map((alert) => alert.checkId))])
  const rows = notificationsOf(loud, listeners)
  return rows.length === 0 ? 0 : insertNotifications(client, rows.map(notificationRow))
}

interface QueuedNotification {
  alert: NewAlert
  listener: Listener
}

/** Earlier alerts of the batch count for the later ones: they change whether a channel is in trouble. */
function notificationsOf(alerts: readonly NewAlert[], listeners: readonly Listener[]): QueuedNotification[] {
  const troubled = new Set(listeners.filter((one) => one.notified_of_trouble).map(keyOf))
  return alerts.flatMap((alert) =>
    listeners
      .filter((listener) => listener.check_id === alert.checkId && listener.account_id === alert.accountId)
      .filter((listener) => {
        const key = keyOf(listener)
        const notified = isNotified(listener, alert, troubled.has(key))
        if (notified && alert.alertType.endsWith('RECOVERY')) troubled.delete(key)
        else if (notified && alert.alertType !== 'ALERT_SSL') troubled.add(key)
        return notified
      })
      .map((listener) => ({ alert, listener })),
  )
}

const keyOf = (listener: Listener): string => `${listener.check_id} ${listener.channel_id}`

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

const notificationRow = ({ alert, listener }: QueuedNotification, index: number) => ({
  id: notificationIdOf(alert.id, listener.channel_id),
  account_id: alert.accountId,
  alert_id: alert.id,
  check_id: alert.checkId,
  check_name: alert.checkName,
  check_type: alert.checkType,
  channel_id: listener.channel_id,
  channel_type: listener.channel_type,
  alert_config: listener.config,
  message: messageOf(alert),
  due_at: iso(alert.resultDueAt),
  started_at: iso(alert.startedAt),
  finished_at: iso(alert.finishedAt),
  decided_at: iso(alert.decidedAt),
  queued_at: inOrder(alert.decidedAt, index),
})

/** Alerts of one batch are decided in the same millisecond; added microseconds keep their order. */
const inOrder = (ms: number, index: number): string =>
  new Date(ms).toISOString().replace('Z', `${String(Math.min(index, 999)).padStart(3, '0')}Z`)

function messageOf(alert: NewAlert): AlertMessage {
  const message: Partial<NewAlert> = { ...alert }
  delete message.muted
  return message as AlertMessage
}
