import { isoTime } from '@vedette/wire'
import { lineOf } from './channel-filter.ts'
import type { Listener } from './alert-store.ts'
import { notificationIdOf, type NewAlert } from './new-alert.ts'

/** What the ledger stores of an alert for its notification: every value it may print, as of the decision. */
export type AlertMessage = Omit<NewAlert, 'muted' | 'heldBy' | 'checkType'> & {
  /** null for an alert of the installation itself; `checkId` is then that of the trouble. */
  checkType: NewAlert['checkType'] | null
  system?: SystemWords
}

/** What an alert of the installation itself says. */
export interface SystemWords {
  title: string
  advice: string
}

export interface QueuedNotification {
  alert: NewAlert
  listener: Pick<Listener, 'channel_id' | 'channel_type' | 'config'>
  /** 0 is the first; later ones follow when the channel did not accept it. */
  round?: number
}

export const notificationRow = ({ alert, listener, round = 0 }: QueuedNotification) => ({
  id: notificationIdOf(alert.id, listener.channel_id, round),
  round,
  account_id: alert.accountId,
  alert_id: alert.id,
  check_id: alert.checkId,
  check_name: alert.checkName,
  check_type: alert.checkType,
  channel_id: listener.channel_id,
  channel_type: listener.channel_type,
  line: lineOf(alert.alertType),
  alert_config: listener.config,
  message: messageOf(alert),
  due_at: isoTime(alert.resultDueAt),
  started_at: isoTime(alert.startedAt),
  finished_at: isoTime(alert.finishedAt),
  decided_at: isoTime(alert.decidedAt),
  queued_at: isoTime(alert.decidedAt),
})

function messageOf(alert: NewAlert): AlertMessage {
  const message: Partial<NewAlert> = { ...alert }
  delete message.muted
  return message as AlertMessage
}
