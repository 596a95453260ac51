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
  ALERT_SYSTEM: 'send_failure',
  ALERT_SYSTEM_RECOVERY: 'send_recovery',
}

/** Whether a channel with these flags is notified. `inTrouble`: its last notification of the check was of a trouble. */
export function isNotified(
  flags: ChannelFlags,
  { alertType: type, certificate }: Pick<NewAlert, 'alertType' | 'certificate'>,
  inTrouble: boolean,
): boolean {
  if (type === 'ALERT_SSL') return flags.ssl_expiry && flags.ssl_expiry_threshold === certificate?.threshold
  if (!flags[flagOf[type]]) return false
  // A recovery is only sent to channels that get degradations or were notified of the trouble.
  return type !== 'ALERT_DEGRADED_RECOVERY' || flags.send_degraded || inTrouble
}
