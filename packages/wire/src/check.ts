import { z } from 'zod'
import { frequencies, locations, runtimeIds, type CheckTypeName } from './enums.ts'
import { frequencyOffsetBounds, isFrequencyOffset } from './due.ts'
import { uuidOf } from './resources/uuid-of.ts'
import { alertSettingsSchema, retryStrategySchema, triggerIncidentSchema } from './settings.ts'

/** Fields every check type shares, without defaults. Source: contract, "Common check fields". */
export const commonCheckFields = {
  name: z
    .string()
    .min(1)
    .max(255)
    .meta({ description: 'Name of the check.', examples: ['Front page'] }),
  activated: z.boolean().describe('Whether the check runs.'),
  muted: z.boolean().describe('Whether notifications on failure and recovery are suppressed.'),
  doubleCheck: z.boolean().describe('Deprecated. Retries a failed run once; `retryStrategy` replaces it.'),
  shouldFail: z.boolean().describe('Inverts what counts as failure, so that error answers can be expected.'),
  locations: z.array(z.enum(locations)).nullable().describe('Data-center locations where the check runs.'),
  tags: z.array(z.string().min(1).max(255)).max(100).describe('Labels for organizing and filtering.'),
  alertSettings: alertSettingsSchema
    .nullable()
    .describe('When alerts are sent. Used when `useGlobalAlertSettings` is false.'),
  useGlobalAlertSettings: z.boolean().describe('Use the alert settings of the account instead of those of the check.'),
  groupId: z.int().positive().nullable().describe('Group the check belongs to.'),
  groupOrder: z.int().min(0).nullable().describe('Position of the check in its group.'),
  runtimeId: z.enum(runtimeIds).nullable().describe('Runtime used to execute the check.'),
  alertChannelSubscriptions: z
    .array(z.strictObject({ alertChannelId: z.int32().positive(), activated: z.boolean() }))
    .max(200)
    .describe('Alert channels that hear of this check.'),
  parentCheckIds: z
    .array(uuidOf('a check'))
    .max(20)
    .describe(
      'Checks that it depends on. While one of them fails, alerts that would open a trouble of this check are held back. They must not form a circle.',
    ),
  retryStrategy: retryStrategySchema.nullable().describe('How failed runs are retried. null: `doubleCheck` decides.'),
  triggerIncident: triggerIncidentSchema
    .nullable()
    .describe('Status page incident opened and resolved by the alerts of this check.'),
  runParallel: z.boolean().describe('Run in all locations at once instead of in turn.'),
  description: z.string().max(500).nullable().describe('Free text.'),
  frequency: z.literal(frequencies).describe('Minutes between runs; 0 means every `frequencyOffset` seconds.'),
  frequencyOffset: z
    .int()
    .min(1)
    .describe('Seconds between runs when `frequency` is 0, else a shift of the start time.'),
  privateLocations: z.array(z.string().min(1)).nullable().describe('Private locations where the check runs.'),
} as const

/** What a create fills in when a common field is not sent. `frequencyOffset` is assigned from the id instead. */
export const commonCheckDefaults = {
  activated: true,
  muted: false,
  doubleCheck: true,
  shouldFail: false,
  locations: null,
  tags: [],
  alertSettings: null,
  useGlobalAlertSettings: true,
  groupId: null,
  groupOrder: null,
  runtimeId: null,
  alertChannelSubscriptions: [],
  parentCheckIds: [],
  retryStrategy: null,
  triggerIncident: null,
  runParallel: false,
  description: null,
  frequency: 10,
  privateLocations: null,
} as const

/** Fields that only answers carry. Sent back in a body they are accepted and ignored. */
export const responseOnlyCheckFields = ['id', 'created_at', 'updated_at', 'alertChannels', 'checkType'] as const

/** A rule over several fields. It answers the problems of a whole, merged definition; none means valid. */
export type CrossFieldRule<Definition = Record<string, unknown>> = (definition: Definition) => readonly FieldProblem[]
export interface FieldProblem {
  /** Dotted path of the field. */
  path: string
  message: string
}

/** `frequencyOffset` must fit `frequency`. Source: contract, Limits. */
export const frequencyOffsetRule: CrossFieldRule = (definition) => {
  const { frequency, frequencyOffset } = definition
  if (typeof frequency !== 'number' || typeof frequencyOffset !== 'number') return []
  if (isFrequencyOffset(frequency, frequencyOffset)) return []
  const bounds = frequencyOffsetBounds(frequency)
  const allowed = 'values' in bounds ? `one of ${bounds.values.join(', ')}` : `from ${bounds.min} to ${bounds.max}`
  return [
    { path: 'frequencyOffset', message: `must be ${allowed} when frequency is ${frequency}, got ${frequencyOffset}` },
  ]
}

export type CommonCheck = { [K in keyof typeof commonCheckFields]: z.infer<(typeof commonCheckFields)[K]> }

/**
 * What answers about a check of any type have in common. The other common fields and those of its type stand beside
 * them.
 */
export type Check = Record<string, unknown> &
  Pick<CommonCheck, 'name' | 'activated' | 'muted'> & { id: string; checkType: CheckTypeName }
