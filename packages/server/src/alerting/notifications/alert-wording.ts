import { expiryTitle } from '../certificates/expiry-wording.ts'
import type { AlertMessage } from './notification-row.ts'

/** What an alert reports of its check. */
export type AlertMood = 'failing' | 'degraded' | 'recovered' | 'certificate' | 'unwatched' | 'watched' | 'system'

const moods: Record<AlertMessage['alertType'], AlertMood> = {
  ALERT_FAILURE: 'failing',
  ALERT_FAILURE_REMAIN: 'failing',
  ALERT_DEGRADED_FAILURE: 'failing',
  ALERT_DEGRADED: 'degraded',
  ALERT_DEGRADED_REMAIN: 'degraded',
  ALERT_FAILURE_DEGRADED: 'degraded',
  ALERT_RECOVERY: 'recovered',
  ALERT_DEGRADED_RECOVERY: 'recovered',
  ALERT_SSL: 'certificate',
  ALERT_UNKNOWN: 'unwatched',
  ALERT_UNKNOWN_RECOVERY: 'watched',
  ALERT_SYSTEM: 'system',
  ALERT_SYSTEM_RECOVERY: 'recovered',
}
const verbs: Record<AlertMood, string> = {
  failing: 'has failed',
  degraded: 'is degraded',
  recovered: 'has recovered',
  certificate: 'has a certificate that expires',
  unwatched: 'is not being watched',
  watched: 'is being watched again',
  system: 'is not watched',
}

export const moodOf = (alert: Pick<AlertMessage, 'alertType'>): AlertMood => moods[alert.alertType]

/** One line: which check or certificate, and what happened to it. */
export function alertTitle(alert: AlertMessage): string {
  if (alert.system) return `Vedette: ${alert.system.title}`
  if (alert.certificate) return expiryTitle(alert.certificate, alert.decidedAt)
  const title = `Check "${alert.checkName}" ${verbs[moodOf(alert)]}`
  return alert.reminder > 0 ? `Reminder ${alert.reminder}: ${title}` : title
}
