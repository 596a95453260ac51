/** The part of JSON Schema that the API's document uses. */
export interface Schema {
  $ref?: string
  type?: string | readonly string[]
  description?: string
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  oneOf?: readonly Schema[]
  anyOf?: readonly Schema[]
  enum?: readonly unknown[]
  const?: unknown
  default?: unknown
  examples?: readonly unknown[]
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  readOnly?: boolean
}

/** Named schemas of a document. */
export type Schemas = Readonly<Record<string, Schema>>

/** One of several shapes that a value may have. */
export interface Variant {
  label: string
  schema: Schema
}

const isNull = (schema: Schema) => schema.type === 'null'

const alternatives = ({ oneOf, anyOf }: Schema): readonly Schema[] =>
  (oneOf ?? anyOf ?? []).filter((each) => !isNull(each))

/** The name by which the document knows the shape, also of one that may be null. */
export function nameOf(schema: Schema): string | undefined {
  const [only, ...others] = alternatives(schema)
  return schema.$ref?.split('/').at(-1) ?? (only && others.length === 0 ? nameOf(only) : undefined)
}

/** The schema that a reference leads to. What stands beside the reference, such as a description, goes first. */
export function resolved(schema: Schema, schemas: Schemas): Schema {
  const { $ref, ...own } = schema
  if ($ref === undefined) return schema
  return { ...resolved(schemas[nameOf(schema) ?? ''] ?? {}, schemas), ...own }
}

/** Types of a schema without `null`. */
export const typesOf = ({ type }: Schema): string[] =>
  (type === undefined ? [] : typeof type === 'string' ? [type] : [...type]).filter((each) => each !== 'null')

export function allowsNull(schema: Schema, schemas: Schemas): boolean {
  const { type, oneOf, anyOf } = resolved(schema, schemas)
  return (Array.isArray(type) && type.includes('null')) || (oneOf ?? anyOf ?? []).some(isNull)
}

/** The schema that is meant: without the reference, and without the choice where the other one is null. */
export function settled(schema: Schema, schemas: Schemas): Schema {
  const target = resolved(schema, schemas)
  const [only, ...others] = alternatives(target)
  if (only === undefined || others.length > 0) return target
  const { oneOf: _oneOf, anyOf: _anyOf, ...own } = target
  return { ...settled(only, schemas), ...own }
}

/** The shapes between which a value may choose; none where there is one shape only. */
export function variantsOf(schema: Schema, schemas: Schemas): Variant[] {
  return alternatives(settled(schema, schemas)).map((each, at) => ({
    label: labelOf(each, schemas) ?? `${at + 1}`,
    schema: each,
  }))
}

/** What tells a shape from the others: the one value of a member, its name, or its type. */
function labelOf(schema: Schema, schemas: Schemas): string | undefined {
  const members = Object.values(resolved(schema, schemas).properties ?? {})
  const only = members.map(onlyValue).find((value) => typeof value === 'string')
  return typeof only === 'string' ? only : (nameOf(schema) ?? typesOf(schema)[0])
}

const onlyValue = (schema: Schema): unknown => schema.const ?? (schema.enum?.length === 1 ? schema.enum[0] : undefined)
