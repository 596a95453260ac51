import { z } from 'zod'
import { alertChannelTypes } from './enums.ts'

/** A subscription of a channel: to a check or to a group, never both. */
export const subscriptionSchema = z.strictObject({
  id: z.int().positive().optional().describe('Ignored in requests.'),
  checkId: z.uuid().nullable().optional(),
  groupId: z.int().positive().nullable().optional(),
  activated: z.boolean(),
})
export type Subscription = { id: number; checkId: string | null; groupId: number | null; activated: boolean }

/** Flags of a channel without defaults; `type` and `config` are the kind's matter. Source: contract, "Alert channel". */
export const alertChannelFields = {
  subscriptions: z.array(subscriptionSchema).max(1000).describe('Checks and groups this channel hears of.'),
  sendRecovery: z.boolean().describe('Send on recovery.'),
  sendFailure: z.boolean().describe('Send on failure.'),
  sendDegraded: z.boolean().describe('Send on degraded state.'),
  sslExpiry: z.boolean().describe('Alert on expiring certificates.'),
  sslExpiryThreshold: z.int().min(1).max(30).describe('Days before expiry from which to alert.'),
  autoSubscribe: z.boolean().describe('Subscribe newly created checks automatically.'),
} as const

export const alertChannelDefaults = {
  sendRecovery: true,
  sendFailure: true,
  sendDegraded: false,
  sslExpiry: false,
  sslExpiryThreshold: 30,
  autoSubscribe: false,
} as const

/** A channel as the API answers it. `config` has its secrets masked. */
export const alertChannelResponse = z.object({
  id: z.int(),
  type: z.enum(alertChannelTypes),
  config: z.record(z.string(), z.unknown()),
  subscriptions: z.array(
    z.object({ id: z.int(), checkId: z.string().nullable(), groupId: z.int().nullable(), activated: z.boolean() }),
  ),
  sendRecovery: z.boolean(),
  sendFailure: z.boolean(),
  sendDegraded: z.boolean(),
  sslExpiry: z.boolean(),
  sslExpiryThreshold: z.int(),
  autoSubscribe: z.boolean(),
  created_at: z.string(),
  updated_at: z.string().nullable(),
})
export type AlertChannel = z.infer<typeof alertChannelResponse>
