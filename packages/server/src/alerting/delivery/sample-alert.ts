import { randomUUID } from 'node:crypto'
import type { PreviewedAlertType } from '@vedette/wire'
import { expiryCause } from '../certificates/expiry-wording.ts'
import type { ChannelMessage } from '../channels/channel-kind.ts'
import type { AlertMessage } from '../notifications/notification-row.ts'
import { locationName } from '../notifications/location-name.ts'

const [minuteMs, dayMs] = [60_000, 86_400_000]

/** An alert as one of a check looks, decided now. No check of it exists. */
export function sampleAlert(
  accountId: string,
  nowMs: number,
  alertType: PreviewedAlertType = 'ALERT_FAILURE',
): AlertMessage {
  return {
    id: randomUUID(),
    accountId,
    checkId: randomUUID(),
    checkName: 'Shop: products',
    checkType: 'API',
    alertType,
    resultId: randomUUID(),
    resultDueAt: nowMs,
    revision: 1,
    location: 'eu-central-1',
    responseMs: 123,
    cause: 'Expected status code to equal 200, got 500.',
    statusCode: 500,
    startedAt: nowMs,
    finishedAt: nowMs,
    decidedAt: nowMs,
    reminder: 0,
    tags: ['shop', 'team:web'],
    lastPassAt: nowMs,
    stateSince: nowMs,
    description: 'What customers read first.',
    ...ofType(alertType, nowMs),
  }
}

function ofType(alertType: PreviewedAlertType, nowMs: number): Partial<AlertMessage> {
  switch (alertType) {
    case 'ALERT_FAILURE':
      return {}
    case 'ALERT_DEGRADED':
      return { cause: 'Took 3,214 ms, more than 3,000 ms.', responseMs: 3214, statusCode: 200 }
    case 'ALERT_RECOVERY':
      return { cause: null, statusCode: 200, stateSince: nowMs - 12 * minuteMs }
    case 'ALERT_SSL': {
      const certificate = { host: 'shop.example.org', notAfter: nowMs + 14.5 * dayMs, threshold: 30 }
      const none = { responseMs: null, statusCode: null, lastPassAt: null, stateSince: null }
      return { ...none, certificate, cause: expiryCause(certificate, nowMs) }
    }
  }
}

/** A message of a sample alert, as a channel would get it. */
export function sampleMessage(
  alert: AlertMessage,
  { variables, baseUrl }: Pick<ChannelMessage, 'variables' | 'baseUrl'>,
): ChannelMessage {
  const { location: slug } = alert
  const location = slug === null ? null : { slug, name: locationName(slug, false) }
  return { notificationId: randomUUID(), attempt: 1, alert, location, variables, baseUrl }
}
