import type { Clock } from '@vedette/wire'
import type { DeliveringKind } from '../../src/alerting/index.ts'
import type { Random } from './random.ts'

/** One message as its receiver got it. */
export interface Delivery {
  notificationId: string
  alertId: string
  checkId: string
  alertType: string
  attempt: number
  /** The title of an alert of the installation itself. */
  system?: string
  /** True time of its arrival. */
  at?: number
}

export interface SimChannelOptions {
  /** The clock of the sending process. */
  clock: Clock
  /** True time. */
  now: () => number
  random: Random
  inbox: Delivery[]
  /** Accepts everything at once. */
  isCalm: () => boolean
  /** Refuses everything for good. */
  isBroken: () => boolean
}

/** A channel within the process: slow, with some refusals, and sometimes without an answer to an accepted message. */
export function simChannel({ clock, now, random, inbox, isCalm, isBroken }: SimChannelOptions): DeliveringKind {
  return {
    type: 'WEBHOOK',
    mapSecrets: (config) => config,
    async deliver(_, { notificationId, attempt, alert }) {
      await new Promise<void>((resolve) => clock.after(random.between(5, 500), resolve))
      if (isBroken()) return { accepted: false, retryable: false, status: 410, response: 'gone' }
      const luck = isCalm() ? 1 : random.next()
      if (luck < 0.1) return { accepted: false, retryable: true, status: 503, response: 'busy' }
      const { id: alertId, checkId, alertType } = alert
      const system = alert.system && { system: alert.system.title }
      inbox.push({ notificationId, alertId, checkId, alertType, attempt, at: now(), ...system })
      if (luck < 0.2) return { accepted: false, retryable: true, response: 'taken, but the answer was lost' }
      return { accepted: true, status: 200, response: 'thanks' }
    },
  }
}
