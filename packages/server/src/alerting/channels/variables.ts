import { STATUS_CODES } from 'node:http'
import { isoTime } from '@vedette/wire'
import { alertTitle } from '../notifications/alert-wording.ts'
import { daysRemaining } from '../certificates/expiry-wording.ts'
import type { ChannelMessage } from './channel-kind.ts'

/** Address of the alert's result in the web app; of the installation's health when it is of no check. */
export const resultLink = ({ alert, baseUrl }: ChannelMessage): string =>
  alert.system ? `${baseUrl}/settings` : `${baseUrl}/checks/${alert.checkId}/results/${alert.resultId}`

/** An alert of the installation itself is of no check and no run. */
const ofNoCheck = { CHECK_ID: null, CHECK_RESULT_ID: null, CHECK_LINK: null }

/** The template variables of an alert, by name. */
export function alertVariables(message: ChannelMessage): Record<string, unknown> {
  const { alert, baseUrl, notificationId, location } = message
  return {
    ALERT_TITLE: alertTitle(alert),
    ALERT_TYPE: alert.alertType,
    ALERT_ID: alert.id,
    NOTIFICATION_ID: notificationId,
    CHECK_ID: alert.checkId,
    CHECK_NAME: alert.checkName,
    CHECK_TYPE: alert.checkType,
    CHECK_DESCRIPTION: alert.description ?? null,
    CHECK_ERROR_MESSAGE: alert.cause,
    CHECK_RESULT_ID: alert.resultId,
    CHECK_LINK: `${baseUrl}/checks/${alert.checkId}`,
    RESULT_LINK: resultLink(message),
    GROUP_NAME: null,
    TAGS: [...alert.tags],
    REGION: location?.slug ?? null,
    RUN_LOCATION: location?.name ?? null,
    RESPONSE_TIME: alert.responseMs === null ? null : Math.round(alert.responseMs),
    STARTED_AT: isoTime(alert.startedAt),
    STATE_SINCE: isoTime(alert.stateSince),
    LAST_PASS_AT: isoTime(alert.lastPassAt),
    API_CHECK_RESPONSE_STATUS_CODE: alert.statusCode,
    API_CHECK_RESPONSE_STATUS_TEXT: alert.statusCode === null ? null : (STATUS_CODES[alert.statusCode] ?? null),
    ADVICE: null,
    ALERT_ACKNOWLEDGED_BY: alert.acknowledgedBy ?? null,
    IS_REMINDER: alert.reminder > 0,
    REMINDER_SEQUENCE: alert.reminder,
    ...certificateVariables(alert),
    ...(alert.system && { ...ofNoCheck, ADVICE: alert.system.advice }),
  }
}

const certificateVariables = ({ certificate, decidedAt }: ChannelMessage['alert']) => ({
  SSL_DAYS_REMAINING: certificate ? daysRemaining(certificate.notAfter, decidedAt) : null,
  SSL_CHECK_DOMAIN: certificate?.host ?? null,
})

/** All template variables. Those of the alert win over account variables of the same name. */
export const templateVariables = (message: ChannelMessage): Record<string, unknown> => ({
  ...message.variables,
  ...alertVariables(message),
})
