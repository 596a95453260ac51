import { isoTime } from '@vedette/wire'
import type { Queryable } from '../../db/database.ts'
import { isDueAgain } from '../notifications/queue-missing.ts'
import { insertNotifications } from '../notifications/alert-store.ts'
import { notificationIdOf } from '../notifications/new-alert.ts'
import { accountsOf, insertSystemAlert, readKnowledge, readSubscribers, subscribes, type Subscriber } from './store.ts'
import { messageOf, systemAlerts, type OpenTrouble, type SystemAlert } from './system-alert.ts'

/**
 * Records alerts in the ledger and queues a notification for every subscriber. Repeating it changes nothing. The end of a
 * trouble is told to those who know of the trouble, are being told, or ask for nothing else. `wasSent`: all of them were
 * told already.
 */
export async function queueSystemAlerts(
  client: Queryable,
  alerts: readonly SystemAlert[],
  wasSent: boolean,
): Promise<void> {
  const subscribers = await readSubscribers(client)
  const known = await readKnowledge(
    client,
    alerts.flatMap(({ ends }) => ends),
  )
  const isConcerned = (one: Subscriber, { type, ends }: SystemAlert) =>
    type === 'ALERT_SYSTEM' ||
    wasSent ||
    !one.send_failure ||
    known.some((row) => row.channel_id === one.id && row.is_aware && ends.includes(row.alert_id))
  for (const alert of alerts) {
    await insertSystemAlert(client, alert)
    const told = subscribers.filter((one) => subscribes(one, alert) && isConcerned(one, alert))
    const rows = told.map((subscriber) => notificationRow({ alert, subscriber, round: 0 }))
    if (rows.length > 0) await insertNotifications(client, rows)
  }
}

/** A channel that does not know of troubles that last. */
export interface MissingNotification {
  alert: SystemAlert
  subscriber: Subscriber
  round: number
}

/** The same rule as for checks: a channel that gave up is told again, after longer and longer pauses. */
export async function readMissing(
  db: Queryable,
  opens: readonly OpenTrouble[],
  nowMs: number,
): Promise<MissingNotification[]> {
  const subscribers = await readSubscribers(db)
  const accounts = accountsOf(subscribers)
  const alerts = [...new Set(opens.map(({ id }) => id))].flatMap((decision) =>
    systemAlerts(
      opens.filter(({ id }) => id === decision),
      { type: 'ALERT_SYSTEM', decidedAt: nowMs },
      accounts,
    ),
  )
  const known = await readKnowledge(
    db,
    alerts.map(({ alertId }) => alertId),
  )
  return alerts.flatMap((alert) =>
    subscribers
      .filter((one) => subscribes(one, alert))
      .flatMap((subscriber) => {
        const row = known.find((one) => one.alert_id === alert.alertId && one.channel_id === subscriber.id)
        if (row === undefined) return [{ alert, subscriber, round: 0 }]
        const isMissing = !row.is_aware && isDueAgain(row, nowMs)
        return isMissing ? [{ alert, subscriber, round: row.given_up }] : []
      }),
  )
}

export async function queueMissing(client: Queryable, missing: readonly MissingNotification[]): Promise<void> {
  for (const { alert } of missing) await insertSystemAlert(client, alert)
  await insertNotifications(client, missing.map(notificationRow))
}

const notificationRow = ({ alert, subscriber, round }: MissingNotification) => {
  const decidedAt = isoTime(alert.decidedAt)
  return {
    id: notificationIdOf(alert.alertId, subscriber.id, round),
    round,
    account_id: alert.accountId,
    alert_id: alert.alertId,
    check_name: alert.trouble.subject,
    channel_id: subscriber.id,
    channel_type: subscriber.type,
    line: 'system',
    alert_config: subscriber.config,
    message: messageOf(alert),
    decided_at: decidedAt,
    queued_at: decidedAt,
  }
}
