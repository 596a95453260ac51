/** The part of JSON Schema that the OpenAPI document describes bodies with. */
export interface BodySchema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, BodySchema>
  required?: string[]
  additionalProperties?: boolean | BodySchema
  propertyNames?: BodySchema
  items?: BodySchema
  anyOf?: BodySchema[]
  oneOf?: BodySchema[]
  allOf?: BodySchema[]
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  pattern?: string
  format?: string
  readOnly?: boolean
  examples?: unknown[]
}

export type BodySchemas = Record<string, BodySchema>

/** The schema itself, where it is only named. */
export const named = (schema: BodySchema, schemas: BodySchemas): BodySchema =>
  schema.$ref === undefined ? schema : named(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, schemas)

export const choicesOf = (schema: BodySchema): BodySchema[] => schema.anyOf ?? schema.oneOf ?? []

export const typesOf = ({ type = [] }: BodySchema): string[] => (Array.isArray(type) ? type : [type])

/** Patterns that a text must match, its own and those of `allOf`. */
export const patternsOf = ({ pattern, allOf = [] }: BodySchema): RegExp[] =>
  [pattern, ...allOf.map((one) => one.pattern)].flatMap((one) => (one === undefined ? [] : new RegExp(one, 'u')))
