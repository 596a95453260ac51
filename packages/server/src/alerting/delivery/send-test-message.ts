import { randomUUID } from 'node:crypto'
import { channelKindOf, type SendOutcome } from '../channels/index.ts'
import { deliverToChannel, type DeliveryOptions, type StoredChannel } from './deliver-to-channel.ts'
import type { AlertMessage } from '../notifications/notification-row.ts'

/** Sends a message that looks like an alert and states that it is a test. It is not recorded in the ledger;
 * the caller notes on the channel that it was accepted. */
export async function sendTestMessage(
  channel: StoredChannel & { type: string },
  options: DeliveryOptions,
): Promise<SendOutcome> {
  const kind = channelKindOf(channel.type)
  if (!kind) throw new Error(`No channel kind ${channel.type} is built`)
  const alert = testAlert(channel.accountId, options.clock.now())
  return deliverToChannel(kind, channel, { notificationId: randomUUID(), attempt: 1, alert }, options)
}

function testAlert(accountId: string, nowMs: number): AlertMessage {
  return {
    id: randomUUID(),
    accountId,
    checkId: randomUUID(),
    checkName: 'Test message',
    checkType: 'API',
    alertType: 'ALERT_FAILURE',
    resultId: randomUUID(),
    resultDueAt: nowMs,
    revision: 1,
    location: 'eu-central-1',
    responseMs: 123,
    cause: 'This is a test of the alert channel. Nothing is wrong.',
    statusCode: 500,
    startedAt: nowMs,
    finishedAt: nowMs,
    decidedAt: nowMs,
    reminder: 0,
    tags: ['test'],
    lastPassAt: nowMs,
    stateSince: nowMs,
    description: null,
  }
}
