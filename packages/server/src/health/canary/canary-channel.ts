import type { DeliveringKind } from '../../alerting/index.ts'

/** Type of the canary's channel. The API does not know it: nobody can make another one. */
export const canaryChannelType = 'CANARY'

/** The end of the canary's road: Vedette itself takes the notification. No socket is opened. */
export const canaryChannel: DeliveringKind = {
  type: canaryChannelType,
  mapSecrets: (config) => config,
  deliver: () => Promise.resolve({ accepted: true, response: 'Taken by Vedette itself: this is a test.' }),
}
