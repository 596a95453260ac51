import { z } from 'zod'
import {
  commonCheckDefaults,
  commonCheckFields,
  completeAlertSettingsSchema,
  completeRetryStrategySchema,
  responseOnlyCheckFields,
  storedKeyValueSchema,
  type CommonCheck,
} from '@vedette/wire'
import type { AnyCheckType } from '../check-type.ts'

type Shape = Record<string, z.ZodType>

const ignored = z.unknown().optional().meta({ readOnly: true, description: 'Only in answers; ignored in requests.' })
const responseOnly: Shape = Object.fromEntries(responseOnlyCheckFields.map((name) => [name, ignored]))

const alertChannelsSchema = z.object({
  email: z.array(z.object({ address: z.string() })).optional(),
  webhook: z
    .array(
      z.object({
        url: z.string(),
        name: z.string(),
        method: z.string(),
        headers: z.array(storedKeyValueSchema).optional(),
        queryParameters: z.array(storedKeyValueSchema).optional(),
      }),
    )
    .optional(),
  slack: z.array(z.object({ url: z.string() })).optional(),
  sms: z.array(z.object({ number: z.string(), name: z.string() })).optional(),
})

/** Whether checks of the type have that common field. */
export const hasCommonField = (type: AnyCheckType, name: keyof CommonCheck): boolean =>
  !(type.omitsCommonFields ?? []).includes(name)

const ofType = <Value>(type: AnyCheckType, common: Record<string, Value>) =>
  Object.fromEntries(Object.entries(common).filter(([name]) => hasCommonField(type, name as keyof CommonCheck)))

/** Common fields a type has, with the frequencies it allows. */
function commonFields(type: AnyCheckType): Shape {
  const shape = ofType<z.ZodType>(type, commonCheckFields)
  if (shape.frequency === undefined || type.mode.kind !== 'scheduled') return shape
  const described = z.literal(type.mode.frequencies).describe(commonCheckFields.frequency.description ?? '')
  return { ...shape, frequency: described }
}

/** What a create fills in for fields not sent: common defaults and those of the type. */
export function defaultsOf(type: AnyCheckType): Record<string, unknown> {
  return structuredClone({ ...ofType<unknown>(type, commonCheckDefaults), ...type.defaults })
}

const sentShape = (type: AnyCheckType): Shape => ({ ...commonFields(type), ...(type.fields as Shape) })

const allOptional = (shape: Shape): Shape =>
  Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, schema.optional()]))

/** Body of a create: fields without a default are required, unknown ones are errors, those of answers are ignored. */
export function createSchema(type: AnyCheckType) {
  const defaults = defaultsOf(type)
  const fields = Object.entries(sentShape(type)).map(([name, schema]) => {
    const optional = Object.hasOwn(defaults, name) || name === 'frequencyOffset'
    return [name, optional ? schema.optional() : schema] as const
  })
  return z.strictObject({ ...responseOnly, ...Object.fromEntries(fields) }).meta({ examples: [type.example] })
}

/** Body of an update: every field may be left out; nested objects are whole. It never fills anything in. */
export const updateSchema = (type: AnyCheckType) =>
  z.strictObject({ ...responseOnly, ...allOptional(sentShape(type)) }).meta({ examples: [type.example] })

function storedShape(type: AnyCheckType): Shape {
  const common = commonFields(type)
  if (common.alertSettings !== undefined) common.alertSettings = completeAlertSettingsSchema.nullable()
  if (common.retryStrategy !== undefined) common.retryStrategy = completeRetryStrategySchema.nullable()
  return { ...common, ...(type.storedFields as Shape) }
}

/** A definition as it is stored: complete. */
export const storedSchema = (type: AnyCheckType) => z.strictObject(storedShape(type))

/** A check as the API answers it: its definition and what only answers carry. */
export const responseSchema = (type: AnyCheckType) =>
  z.object({
    id: z.string().describe('Identifier of the check.'),
    checkType: z.literal(type.type).describe('Type of the check.'),
    ...storedShape(type),
    created_at: z.string().describe('ISO 8601 in UTC with milliseconds.'),
    updated_at: z.string().nullable().describe('ISO 8601 in UTC with milliseconds.'),
    alertChannels: alertChannelsSchema.describe('The subscribed channels, resolved.'),
  })
