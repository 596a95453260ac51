import type { AlertChannelsRow } from '../../db/rows.ts'
import type { NewAlert } from './new-alert.ts'

export type ChannelFlags = Pick<
  AlertChannelsRow,
  'send_failure' | 'send_recovery' | 'send_degraded' | 'ssl_expiry' | 'ssl_expiry_threshold'
>

type Flag = 'send_failure' | 'send_recovery' | 'send_degraded'

const flagOf: Record<Exclude<NewAlert['alertType'], 'ALERT_SSL'>, Flag> = {
  ALERT_FAILURE: 'send_failure',
  ALERT_FAILURE_REMAIN: 'send_failure',
  ALERT_DEGRADED_FAILURE: 'send_failure',
  ALERT_DEGRADED: 'send_degraded',
  ALERT_DEGRADED_REMAIN: 'send_degraded',
  ALERT_FAILURE_DEGRADED: 'send_degraded',
  ALERT_RECOVERY: 'send_recovery',
  ALERT_DEGRADED_RECOVERY: 'send_recovery',
  ALERT_UNKNOWN: 'send_failure',
  ALERT_UNKNOWN_RECOVERY: 'send_recovery',
  ALERT_SYSTEM: 'send_failure',
  ALERT_SYSTEM_RECOVERY: 'send_recovery',
}

/** Notifications of one check to one channel are in order within their line, and so is what is known of them. */
export type NotificationLine = 'state' | 'watch' | 'certificate' | 'system'

/** The line of an alert; the column `line` of `alert_notifications` says the same. */
export function lineOf(type: NewAlert['alertType']): NotificationLine {
  if (type === 'ALERT_SSL') return 'certificate'
  if (type === 'ALERT_SYSTEM' || type === 'ALERT_SYSTEM_RECOVERY') return 'system'
  return type === 'ALERT_UNKNOWN' || type === 'ALERT_UNKNOWN_RECOVERY' ? 'watch' : 'state'
}

/**
 * Whether a channel with these flags is notified. `inTrouble`: it accepted a notification of the trouble, or one is being
 * tried.
 */
export function isNotified(
  flags: ChannelFlags,
  { alertType: type, certificate }: Pick<NewAlert, 'alertType' | 'certificate'>,
  inTrouble: boolean,
): boolean {
  if (type === 'ALERT_SSL') return flags.ssl_expiry && flags.ssl_expiry_threshold === certificate?.threshold
  if (!flags[flagOf[type]]) return false
  // The end of a trouble is news for channels that know of it, and for those that ask for the end of failures alone.
  if (!type.endsWith('RECOVERY') || inTrouble) return true
  return type === 'ALERT_RECOVERY' && !flags.send_failure
}
