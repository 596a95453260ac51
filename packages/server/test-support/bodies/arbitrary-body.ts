import fc from 'fast-check'
import { choicesOf, named, patternsOf, typesOf, type BodySchema, type BodySchemas } from './body-schema.ts'

interface Making {
  schemas: BodySchemas
  /** Values that stand for existing things, or follow rules the schema does not tell, by the name of their field. */
  known: Readonly<Record<string, fc.Arbitrary<unknown>>>
  now: Date
  depth: number
}

/** Deeper, optional members are left out, so that a shape within itself comes to an end. */
const deepest = 5
const mostMembers = 3
const dayMs = 86_400_000

/** Values that the schema allows. */
export const arbitraryOf = (schema: BodySchema, making: Omit<Making, 'depth'>): fc.Arbitrary<unknown> =>
  valueOf(schema, { ...making, depth: 0 })

function valueOf(schema: BodySchema, making: Making): fc.Arbitrary<unknown> {
  const target = named(schema, making.schemas)
  if (target.const !== undefined) return fc.constant(target.const)
  if (target.enum) return fc.constantFrom(...target.enum)
  const choices = choicesOf(target)
  if (choices.length > 0) return fc.oneof(...choices.map((choice) => valueOf(choice, making)))
  const types = typesOf(target)
  if (types.length === 0) return fc.constantFrom(null, 1, 'text')
  return fc.oneof(...types.map((type) => ofType(type, target, making)))
}

function ofType(type: string, schema: BodySchema, making: Making): fc.Arbitrary<unknown> {
  switch (type) {
    case 'object':
      return objectOf(schema, making)
    case 'array':
      return listOf(schema, making)
    case 'string':
      return textOf(schema, making.now)
    case 'integer':
      return wholeNumberOf(schema)
    case 'number':
      return numberOf(schema)
    case 'boolean':
      return fc.boolean()
    default:
      return fc.constant(null)
  }
}

function objectOf(schema: BodySchema, making: Making): fc.Arbitrary<unknown> {
  const deeper = { ...making, depth: making.depth + 1 }
  if (!schema.properties) return mapOf(schema, deeper)
  const required = schema.required ?? []
  const members = Object.entries(schema.properties).filter(
    ([name, member]) => required.includes(name) || (making.depth < deepest && member.readOnly !== true),
  )
  const model = members.map(([name, member]) => [name, making.known[name] ?? valueOf(member, deeper)] as const)
  return fc.record(Object.fromEntries(model), {
    requiredKeys: required.filter((name) => name in (schema.properties ?? {})),
  })
}

function mapOf({ additionalProperties, propertyNames }: BodySchema, making: Making): fc.Arbitrary<unknown> {
  const value = typeof additionalProperties === 'object' ? valueOf(additionalProperties, making) : fc.constant('text')
  const key = propertyNames ? valueOf(propertyNames, making).map(String) : fc.stringMatching(/^[a-z]{1,8}$/)
  return fc.dictionary(key, value, { maxKeys: mostMembers })
}

function listOf({ items = {}, minItems = 0, maxItems = Infinity }: BodySchema, making: Making): fc.Arbitrary<unknown> {
  const maxLength = Math.max(minItems, Math.min(maxItems, making.depth < deepest ? mostMembers : 0))
  return fc.array(valueOf(items, { ...making, depth: making.depth + 1 }), { minLength: minItems, maxLength })
}

/** Integers, often at and beside the bounds, and around those of the database. */
function wholeNumberOf(schema: BodySchema): fc.Arbitrary<number> {
  const { min, max } = boundsOf(schema, 1)
  const near = [min, min + 1, max - 1, max, 0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1].filter(
    (at) => at >= min && at <= max,
  )
  return fc.oneof(fc.integer({ min, max }), fc.constantFrom(...near))
}

function numberOf(schema: BodySchema): fc.Arbitrary<number> {
  const { min, max } = boundsOf(schema, 0.001)
  return fc.oneof(fc.double({ min, max, noNaN: true }), fc.constantFrom(min, max))
}

function boundsOf(schema: BodySchema, step: number): { min: number; max: number } {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  const below = exclusiveMaximum === undefined ? Number.MAX_SAFE_INTEGER : exclusiveMaximum - step
  const above = exclusiveMinimum === undefined ? Number.MIN_SAFE_INTEGER : exclusiveMinimum + step
  return { min: Math.max(minimum ?? above, above), max: Math.min(maximum ?? below, below) }
}

function textOf(schema: BodySchema, now: Date): fc.Arbitrary<string> {
  const { format, minLength = 0, maxLength = Infinity, examples = [] } = schema
  if (format === 'uuid') return fc.uuid()
  // Searching at random for what its pattern takes would last for ever.
  if (format === 'email') return fc.stringMatching(/^[a-z0-9]{1,20}$/).map((text) => `${text}@${text}.example`)
  if (format === 'date-time') return fc.integer({ min: 1, max: 300 }).map((days) => inDays(now, days))
  const patterns = patternsOf(schema)
  const most = Math.min(maxLength, minLength + 40)
  const any = fc
    .string({ unit: 'grapheme', minLength, maxLength: most })
    .filter((text) => !text.includes('\0') && text.length >= minLength && text.length <= maxLength)
  const fits = (text: string) => patterns.every((pattern) => pattern.test(text))
  const plain = fc
    .stringMatching(/^[a-z][a-z0-9]*$/, { size: 'small' })
    .map((text) => text.slice(0, most).padEnd(minLength, 'a'))
  const stated = examples.filter((one) => typeof one === 'string').map((one) => fc.constant(one))
  if (patterns.length === 0) return fc.oneof(any, plain, ...stated)
  return fc
    .oneof(
      plain,
      plain.map((text) => text.toUpperCase()),
      ...stated,
      fc.uuid(),
      fc.constant('shop.example'),
    )
    .filter(fits)
}

const inDays = (now: Date, days: number): string => new Date(now.getTime() + days * dayMs).toISOString()
