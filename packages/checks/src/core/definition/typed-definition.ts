import type { AlertSettings, CommonCheck, RetryStrategy } from '@vedette/wire'
import type { z, ZodRawShape } from 'zod'

/** The common fields of a complete definition, validated. Subscriptions are stored apart from it. */
export type CommonDefinition = Omit<CommonCheck, 'alertSettings' | 'retryStrategy' | 'alertChannelSubscriptions'> & {
  alertSettings: AlertSettings | null
  retryStrategy: RetryStrategy | null
}

/**
 * A definition whose own fields are those of `Fields`, without the common fields that the type omits. One that was stored,
 * or sent by a server, before a field with a default existed lacks it: what judges or runs takes absence for null or false.
 */
export type DefinitionOf<Fields extends ZodRawShape, Omitted extends keyof CommonCheck = never> = Omit<
  CommonDefinition,
  Omitted
> &
  z.infer<z.ZodObject<Fields>>

/** Common fields that mean something only where a schedule makes an agent run the check: what passive types omit. */
export const scheduleFields = [
  'locations',
  'privateLocations',
  'runParallel',
  'frequency',
  'frequencyOffset',
  'retryStrategy',
  'doubleCheck',
  'runtimeId',
] as const satisfies readonly (keyof CommonCheck)[]
