import { settled, typesOf, variantsOf, type Schema, type Schemas } from '../document/json-schema.ts'

interface Making {
  schemas: Schemas
  /** The moment that times are counted from. */
  now: Date
  depth: number
}

/** Deeper, only what must be there is made, so that a shape within itself comes to an end. */
const deepest = 6
const dayMs = 86_400_000

/** A value that fits a schema: its own example or default, else one that has what must be there. */
export function exampleOf(schema: Schema, schemas: Schemas, now: Date): unknown {
  return made(schema, { schemas, now, depth: 0 })
}

function made(schema: Schema, making: Making): unknown {
  const target = settled(schema, making.schemas)
  const stated = statedValue(target)
  if (stated !== undefined) return stated
  const [variant] = variantsOf(target, making.schemas)
  if (variant) return made(variant.schema, making)
  const [type = 'null'] = typesOf(target)
  return (makers[type] ?? (() => null))(target, making)
}

const statedValue = (schema: Schema): unknown =>
  schema.examples?.[0] ?? schema.default ?? schema.const ?? schema.enum?.find((value) => value !== null)

const makers: Record<string, (schema: Schema, making: Making) => unknown> = {
  object: objectOf,
  array: listOf,
  string: (schema, { now }) => textOf(schema, now),
  integer: numberOf,
  number: numberOf,
  boolean: () => true,
}

function objectOf(schema: Schema, making: Making): Record<string, unknown> {
  const members = Object.entries(schema.properties ?? {}).filter(([, member]) => member.readOnly !== true)
  const required = members.filter(([name]) => schema.required?.includes(name))
  const shown = required.length > 0 || making.depth > 0 ? required : members.filter(isTelling(making)).slice(0, 1)
  return Object.fromEntries(shown.map(([name, member]) => [name, made(member, { ...making, depth: making.depth + 1 })]))
}

/** Of members that all may be left out, one says what the body is about: one with an example, or a plain text. */
const isTelling =
  ({ schemas }: Making) =>
  ([, member]: [string, Schema]): boolean => {
    const target = settled(member, schemas)
    return target.examples !== undefined || (typesOf(target).includes('string') && target.enum === undefined)
  }

function listOf(schema: Schema, making: Making): unknown[] {
  const count = schema.minItems ?? (making.depth > deepest ? 0 : 1)
  return Array.from({ length: count }, () => made(schema.items ?? {}, { ...making, depth: making.depth + 1 }))
}

function numberOf(schema: Schema): number {
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity } = schema
  const fits = (value: number) =>
    value >= minimum && value <= maximum && value > exclusiveMinimum && value < exclusiveMaximum
  return [1, minimum, exclusiveMinimum + 1, maximum, exclusiveMaximum - 1].find(fits) ?? 0
}

const formats: Record<string, (now: Date) => string> = {
  uuid: () => '01980d5e-7a3c-8f21-9b64-c2d1f0a4e6b8',
  'date-time': (now) => new Date(now.getTime() + dayMs).toISOString(),
  date: (now) => new Date(now.getTime() + dayMs).toISOString().slice(0, 10),
  email: () => 'on-call@example.com',
  uri: () => 'https://example.com/',
}

function textOf(schema: Schema, now: Date): string {
  const { format = '', minLength = 0, maxLength = Infinity, pattern } = schema
  const formatted = formats[format]
  if (formatted) return formatted(now)
  const rule = pattern === undefined ? undefined : new RegExp(pattern, 'u')
  const fits = (text: string) => text.length >= minLength && text.length <= maxLength && (rule?.test(text) ?? true)
  return ['Example', 'example', 'EXAMPLE', '1', 'e'].find(fits) ?? 'Example'.padEnd(minLength, '.')
}
