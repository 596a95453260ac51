import type { Clock } from '@vedette/wire'
import { z } from 'zod'
import type { ChannelKind } from '../../src/alerting/index.ts'
import type { Random } from './random.ts'

/** One message as its receiver got it. */
export interface Delivery {
  notificationId: string
  alertId: string
  checkId: string
  alertType: string
  attempt: number
}

export interface SimChannelOptions {
  clock: Clock
  random: Random
  inbox: Delivery[]
  isCalm: () => boolean
}

/** A channel within the process: slow, with some refusals, and sometimes without an answer to an accepted message. */
export function simChannel({ clock, random, inbox, isCalm }: SimChannelOptions): ChannelKind {
  return {
    type: 'WEBHOOK',
    title: 'Simulated',
    form: [],
    defaults: {},
    config: z.record(z.string(), z.unknown()),
    secretPaths: [],
    complete: (sent) => sent,
    problems: () => [],
    mapSecrets: (config) => config,
    async deliver(_, { notificationId, attempt, alert }) {
      await new Promise<void>((resolve) => clock.after(random.between(5, 500), resolve))
      const luck = isCalm() ? 1 : random.next()
      if (luck < 0.1) return { accepted: false, retryable: true, status: 503, response: 'busy' }
      inbox.push({ notificationId, alertId: alert.id, checkId: alert.checkId, alertType: alert.alertType, attempt })
      if (luck < 0.2) return { accepted: false, retryable: true, response: 'taken, but the answer was lost' }
      return { accepted: true, status: 200, response: 'thanks' }
    },
  }
}
