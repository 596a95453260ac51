import { randomUUID } from 'node:crypto'
import type { Trouble } from '../../trouble.ts'
import type { AlertMessage } from '../notifications/notification-row.ts'
import { alertIdOf } from '../notifications/new-alert.ts'
import { foldTroubles } from './fold-troubles.ts'

/** A trouble that was alerted. */
export interface OpenTrouble {
  /** Of the decision that alerted it. Troubles that were alerted together share it. */
  id: string
  trouble: Trouble
}

export type SystemAlertType = 'ALERT_SYSTEM' | 'ALERT_SYSTEM_RECOVERY'

/** The alert of troubles, or of their end, for one account. */
export interface SystemAlert extends OpenTrouble {
  alertId: string
  accountId: string
  type: SystemAlertType
  /** Epoch milliseconds. */
  decidedAt: number
  /** Of a recovery: the alerts that it ends. */
  ends: readonly string[]
}

/** An account with a channel to tell. */
export interface ConcernedAccount {
  id: string
  /** It operates the installation, and is told the errors themselves. */
  isOperator: boolean
}

/** Troubles are alerted, or their end. */
export interface Decision {
  opens: readonly OpenTrouble[]
  type: SystemAlertType
  alerts: readonly SystemAlert[]
}

/** Servers that see the same occurrence of the same troubles tell it under the same id. */
export function decisionIdOf(troubles: readonly Trouble[]): string {
  if (!troubles.some(({ occurrence }) => occurrence !== undefined)) return randomUUID()
  const seen = troubles.map(({ key, occurrence = '' }) => `${key} ${occurrence}`)
  return alertIdOf(seen.toSorted().join('\n'), 'ALERT_SYSTEM', 0)
}

/** What every server sees is told apart from what one alone may see, so that it has the same id from each. */
export const toldTogether = (troubles: readonly Trouble[]): Trouble[][] =>
  [
    troubles.filter(({ occurrence }) => occurrence !== undefined),
    troubles.filter(({ occurrence }) => occurrence === undefined),
  ].filter((together) => together.length > 0)

const alertIdFor = (id: string, accountId: string): string => alertIdOf(`${id} ${accountId}`, 'ALERT_SYSTEM', 0)

/** One for each account that is concerned. The same troubles lead to the same ids, so that receivers can drop doubles. */
export const systemAlerts = (
  opens: readonly OpenTrouble[],
  { type, decidedAt }: Pick<SystemAlert, 'type' | 'decidedAt'>,
  accounts: readonly ConcernedAccount[],
): SystemAlert[] =>
  accounts.flatMap(({ id: accountId, isOperator }) => {
    const own = opens.filter(({ trouble }) => trouble.accountId === null || trouble.accountId === accountId)
    const [first] = own
    if (first === undefined) return []
    const trouble = toldTo(isOperator, foldTroubles(own.map((one) => one.trouble)))
    const alert = { id: first.id, trouble, accountId, type, decidedAt }
    if (type === 'ALERT_SYSTEM') return [{ ...alert, alertId: alertIdFor(first.id, accountId), ends: [] }]
    const ended = own.map(({ id, trouble: { key } }) => `${id} ${key}`).toSorted()
    const ends = [...new Set(own.map(({ id }) => alertIdFor(id, accountId)))]
    return [{ ...alert, alertId: alertIdOf(`${ended.join()} ${accountId}`, type, 0), ends }]
  })

/** The error itself has addresses and paths: it is for the operator. */
const toldTo = (isOperator: boolean, { reason, ...trouble }: Trouble): Trouble =>
  isOperator && reason ? { ...trouble, text: `${trouble.text} The error: ${reason}` } : trouble

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
