import { STATUS_CODES } from 'node:http'
import { isoTime } from '@vedette/wire'
import { alertTitle } from '../notifications/alert-wording.ts'
import { daysRemaining } from '../certificates/expiry-wording.ts'
import type { ChannelMessage } from './channel-kind.ts'

/** Address of the alert's result in the web app; of the installation's health when it is of no check. */
export const resultLink = ({ alert, baseUrl }: ChannelMessage): string =>
  alert.system ? `${baseUrl}/settings` : `${baseUrl}/checks/${alert.checkId}/results/${alert.resultId}`

interface AlertVariable {
  /** For people. */
  meaning: string
  valueOf: (message: ChannelMessage) => unknown
}

/** A variable that is a fact of the alert. */
const fact = (meaning: string, valueOf: (alert: ChannelMessage['alert']) => unknown): AlertVariable => ({
  meaning,
  valueOf: ({ alert }) => valueOf(alert),
})

/** An alert of the installation itself is of no check and no run: these are null there. */
const ofCheck = (meaning: string, valueOf: AlertVariable['valueOf']): AlertVariable => ({
  meaning,
  valueOf: (message) => (message.alert.system ? null : valueOf(message)),
})

/** Every variable of an alert: what templates are filled with, and what the web app lists. */
const variables: Record<string, AlertVariable> = {
  ALERT_TITLE: fact('What happened, in one line.', alertTitle),
  ALERT_TYPE: fact('Type of the alert.', ({ alertType }) => alertType),
  ALERT_ID: fact('Id of the alert, the same for all channels.', ({ id }) => id),
  NOTIFICATION_ID: {
    meaning: 'Id of this notification, the same for every attempt.',
    valueOf: ({ notificationId }) => notificationId,
  },
  CHECK_ID: ofCheck('Id of the check.', ({ alert }) => alert.checkId),
  CHECK_NAME: fact('Name of the check.', ({ checkName }) => checkName),
  CHECK_TYPE: fact('Type of the check.', ({ checkType }) => checkType),
  CHECK_DESCRIPTION: fact('Description of the check, or null.', ({ description }) => description ?? null),
  CHECK_ERROR_MESSAGE: fact('What is wrong, in a sentence; null on recovery.', ({ cause }) => cause),
  CHECK_RESULT_ID: ofCheck('Id of the result that led here.', ({ alert }) => alert.resultId),
  CHECK_LINK: ofCheck('Address of the check in Vedette.', ({ alert, baseUrl }) => `${baseUrl}/checks/${alert.checkId}`),
  RESULT_LINK: { meaning: 'Address of the result in Vedette.', valueOf: resultLink },
  GROUP_NAME: fact('Name of the group of the check, or null.', ({ groupName }) => groupName ?? null),
  TAGS: fact('Tags of the check, a list.', ({ tags }) => [...tags]),
  REGION: { meaning: 'Code of the location.', valueOf: ({ location }) => location?.slug ?? null },
  RUN_LOCATION: { meaning: 'Name of the location.', valueOf: ({ location }) => location?.name ?? null },
  RESPONSE_TIME: fact('Milliseconds until the answer, or null.', ({ responseMs }) =>
    responseMs === null ? null : Math.round(responseMs),
  ),
  STARTED_AT: fact('When the run started.', ({ startedAt }) => isoTime(startedAt)),
  STATE_SINCE: fact('Since when the check is in this state.', ({ stateSince }) => isoTime(stateSince)),
  LAST_PASS_AT: fact('When it last passed, or null.', ({ lastPassAt }) => isoTime(lastPassAt)),
  API_CHECK_RESPONSE_STATUS_CODE: fact('Status of the answer, or null.', ({ statusCode }) => statusCode),
  API_CHECK_RESPONSE_STATUS_TEXT: fact('The status in words, or null.', ({ statusCode }) =>
    statusCode === null ? null : (STATUS_CODES[statusCode] ?? null),
  ),
  ADVICE: fact('What to do, in alerts of Vedette itself; else null.', ({ system }) => system?.advice ?? null),
  ALERT_ACKNOWLEDGED_BY: fact('Who acknowledged the trouble, or null.', ({ acknowledgedBy }) => acknowledgedBy ?? null),
  IS_REMINDER: fact('Whether it was sent before.', ({ reminder }) => reminder > 0),
  REMINDER_SEQUENCE: fact('Which reminder it is; 0 for the first alert.', ({ reminder }) => reminder),
  SSL_DAYS_REMAINING: fact('Whole days until the certificate expires, or null.', ({ certificate, decidedAt }) =>
    certificate ? daysRemaining(certificate.notAfter, decidedAt) : null,
  ),
  SSL_CHECK_DOMAIN: fact('Host of the certificate, or null.', ({ certificate }) => certificate?.host ?? null),
}

/** The template variables of an alert, by name. */
export const alertVariables = (message: ChannelMessage): Record<string, unknown> =>
  Object.fromEntries(Object.entries(variables).map(([name, { valueOf }]) => [name, valueOf(message)]))

/** The same with what each means. */
export const describeAlertVariables = (message: ChannelMessage): { name: string; meaning: string; sample: unknown }[] =>
  Object.entries(variables).map(([name, { meaning, valueOf }]) => ({ name, meaning, sample: valueOf(message) }))

/** All template variables. Those of the alert win over account variables of the same name. */
export const templateVariables = (message: ChannelMessage): Record<string, unknown> => ({
  ...message.variables,
  ...alertVariables(message),
})
