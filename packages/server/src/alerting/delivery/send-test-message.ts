import { randomUUID } from 'node:crypto'
import { channelKindOf, type SendOutcome } from '../channels/index.ts'
import { deliverToChannel, type DeliveryOptions, type StoredChannel } from './deliver-to-channel.ts'
import { sampleAlert } from './sample-alert.ts'

/** Sends a message that looks like an alert and states that it is a test. It is not recorded in the ledger;
 * the caller notes on the channel that it was accepted. */
export async function sendTestMessage(
  channel: StoredChannel & { type: string },
  options: DeliveryOptions,
): Promise<SendOutcome> {
  const kind = channelKindOf(channel.type)
  if (!kind) throw new Error(`No channel kind ${channel.type} is built`)
  const alert = {
    ...sampleAlert(channel.accountId, options.clock.now()),
    checkName: 'Test message',
    cause: 'This is a test of the alert channel. Nothing is wrong.',
    tags: ['test'],
    description: null,
  }
  return deliverToChannel(kind, channel, { notificationId: randomUUID(), attempt: 1, alert }, options)
}
