import { createHash } from 'node:crypto'
import type { AlertType, CheckTypeName } from '@vedette/wire'

/** A decision to alert, as the state machine makes it. Times are epoch milliseconds of server time. */
export interface NewAlert {
  /** From `alertIdOf`: the same decision has the same id, so that it is recorded once. */
  id: string
  accountId: string
  checkId: string
  checkName: string
  checkType: CheckTypeName
  alertType: Exclude<AlertType, 'NO_ALERT'>
  resultId: string
  /** Due time of the run that led to the alert. */
  resultDueAt: number
  revision: number
  /** null for passive checks. */
  location: string | null
  responseMs: number | null
  /** What is wrong, in one sentence; null on recovery. */
  cause: string | null
  /** Status code of the answer, for check types that have one. */
  statusCode: number | null
  /** When the run started and ended; null when it never did. */
  startedAt: number | null
  finishedAt: number | null
  /** When the state machine decided. */
  decidedAt: number
  /** 0 is the first alert, 1 the first reminder. */
  reminder: number
  /** The alert is recorded, and no channel is notified. */
  muted: boolean
  /** The parent for which it is held back; it is muted then. */
  heldBy?: string
  tags: readonly string[]
  /** When the check last passed, before this alert. */
  lastPassAt: number | null
  /** Since when the check is in the state that this alert reports. On recovery: since when it had been failing. */
  stateSince: number | null
  /** Name of the group of the check. Absent in alerts of older servers. */
  groupName?: string | null
  description?: string | null
  /** The episode that it is about, and who acknowledged that. */
  episodeId?: string | null
  acknowledgedBy?: string | null
  /** The certificate that an ALERT_SSL reports. */
  certificate?: ExpiringCertificate
}

export interface ExpiringCertificate {
  /** The host that served it. */
  host: string
  /** Epoch milliseconds of its end. */
  notAfter: number
  /** Days before the end: channels with this threshold are notified. */
  threshold: number
}

/** UUIDv8 of an alert: a result leads to at most one alert of each type and reminder number. */
export function alertIdOf(resultId: string, alertType: string, reminder: number): string {
  return uuidOf('alert', resultId, alertType, reminder)
}

/** Id of an alert that is held back. The alert of the same result that follows when it is not any more has another. */
export const heldAlertIdOf = (resultId: string, alertType: string): string => uuidOf('held alert', resultId, alertType)

/** UUIDv8 of an episode: a result begins at most one of each state. */
export const episodeIdOf = (resultId: string, state: string): string => uuidOf('episode', resultId, state)

/**
 * Id of the alert that a certificate ends: one for each certificate and threshold, whichever run or server finds it.
 */
export function certificateAlertIdOf(
  checkId: string,
  { notAfter, threshold }: Pick<ExpiringCertificate, 'notAfter' | 'threshold'>,
): string {
  return uuidOf('certificate', checkId, notAfter, threshold)
}

/**
 * Id of the notification of one alert over one channel; also its idempotency key at the receiver. A later round, after
 * the channel did not accept an earlier one, has another.
 */
export function notificationIdOf(alertId: string, channelId: number, round = 0): string {
  return round === 0 ? uuidOf('notification', alertId, channelId) : uuidOf('notification', alertId, channelId, round)
}

function uuidOf(...parts: readonly (string | number)[]): string {
  const hex = createHash('sha256').update(parts.join('\u0000')).digest('hex')
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
