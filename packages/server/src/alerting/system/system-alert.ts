import type { Trouble } from '../../trouble.ts'
import type { AlertMessage } from '../notifications/notification-row.ts'
import { alertIdOf } from '../notifications/new-alert.ts'

/** A trouble that was alerted. */
export interface OpenTrouble {
  /** Of this time that it came up. */
  id: string
  trouble: Trouble
}

/** The alert of a trouble, or of its end, for one account. */
export interface SystemAlert extends OpenTrouble {
  alertId: string
  accountId: string
  type: 'ALERT_SYSTEM' | 'ALERT_SYSTEM_RECOVERY'
  /** Epoch milliseconds. */
  decidedAt: number
}

/** One for each account. The same trouble leads to the same ids, so that receivers can drop doubles. */
export const systemAlerts = (
  { id, trouble }: OpenTrouble,
  what: Pick<SystemAlert, 'type' | 'decidedAt'>,
  accounts: readonly string[],
): SystemAlert[] =>
  accounts
    .filter((account) => trouble.accountId === null || trouble.accountId === account)
    .map((accountId) => ({ id, trouble, accountId, alertId: alertIdOf(`${id} ${accountId}`, what.type, 0), ...what }))

/** What channels get. The id of the trouble stands in for that of a check, so that mail programs group its messages. */
export function messageOf({ id, alertId, accountId, trouble, type, decidedAt }: SystemAlert): AlertMessage {
  const isOver = type === 'ALERT_SYSTEM_RECOVERY'
  return {
    id: alertId,
    accountId,
    checkId: id,
    checkName: trouble.subject,
    checkType: null,
    alertType: type,
    resultId: id,
    resultDueAt: trouble.since,
    revision: 0,
    location: null,
    responseMs: null,
    cause: isOver ? null : trouble.text,
    statusCode: null,
    startedAt: null,
    finishedAt: null,
    decidedAt,
    reminder: 0,
    tags: [],
    lastPassAt: null,
    stateSince: trouble.since,
    description: null,
    system: { title: isOver ? trouble.over : trouble.title, advice: trouble.advice },
  }
}
