import type { AlertSettings, CommonCheck, RetryStrategy } from '@vedette/wire'
import type { z, ZodRawShape } from 'zod'

/** The common fields of a complete definition, validated. Subscriptions and parents are stored apart from it. */
export type CommonDefinition = Omit<
  CommonCheck,
  'alertSettings' | 'retryStrategy' | 'alertChannelSubscriptions' | 'parentCheckIds'
> & {
  alertSettings: AlertSettings | null
  retryStrategy: RetryStrategy | null
}

/**
 * A definition whose own fields are those of `Fields`, without the common fields that the type omits. A definition that
 * was stored, or sent by a server, before a field with a default existed lacks that field, so code that judges or runs
 * treats an absent field as null or false.
 */
export type DefinitionOf<Fields extends ZodRawShape, Omitted extends keyof CommonCheck = never> = Omit<
  CommonDefinition,
  Omitted
> &
  z.infer<z.ZodObject<Fields>>

/** Common fields that only matter when agents run the check on a schedule. Passive types omit them. */
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
