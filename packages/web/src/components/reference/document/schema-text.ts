import { allowsNull, nameOf, settled, typesOf, variantsOf, type Schema, type Schemas } from './json-schema.ts'

/** The type of a value in words: `list of string (uuid) or null`. */
export function typeText(schema: Schema, schemas: Schemas): string {
  const type = typeWithoutNull(schema, schemas)
  return allowsNull(schema, schemas) ? `${type} or null` : type
}

function typeWithoutNull(schema: Schema, schemas: Schemas): string {
  const variants = variantsOf(schema, schemas)
  if (variants.length > 0) return variants.map((each) => each.label).join(' or ')
  const target = settled(schema, schemas)
  const [type = 'any', ...more] = typesOf(target)
  if (more.length > 0) return [type, ...more].join(' or ')
  if (type === 'array') return `list of ${target.items ? typeText(target.items, schemas) : 'any'}`
  if (type === 'object') return objectText(schema, target, schemas)
  return target.format === undefined ? type : `${type} (${target.format})`
}

function objectText(schema: Schema, target: Schema, schemas: Schemas): string {
  const { additionalProperties: values } = target
  const isMap = target.properties === undefined && typeof values === 'object'
  if (isMap) return `map of ${typeText(values, schemas)}`
  return nameOf(schema) ?? 'object'
}

/** What a value must keep to, one rule each: `1 to 255 characters`. */
export function rulesOf(schema: Schema, schemas: Schemas): string[] {
  const target = settled(schema, schemas)
  const { format, pattern } = target
  const above = target.exclusiveMinimum === undefined ? [] : [`more than ${target.exclusiveMinimum}`]
  const below = target.exclusiveMaximum === undefined ? [] : [`less than ${target.exclusiveMaximum}`]
  return [
    ...between(target.minimum, target.maximum, ''),
    ...above,
    ...below,
    ...between(target.minLength, target.maxLength, ' characters'),
    ...between(target.minItems, target.maxItems, ' entries'),
    ...(pattern === undefined || format !== undefined ? [] : [`matches ${pattern}`]),
    ...(target.default === undefined ? [] : [`default ${JSON.stringify(target.default)}`]),
  ]
}

function between(least: number | undefined, most: number | undefined, unit: string): string[] {
  if (least === undefined && most === undefined) return []
  if (least === undefined) return [`at most ${most}${unit}`]
  if (least === 1 && most === undefined && unit !== '') return ['not empty']
  return [most === undefined ? `at least ${least}${unit}` : `${least} to ${most}${unit}`]
}

/** The values to choose from, those of the entries of a list too; none where any will do. */
export function choicesOf(schema: Schema, schemas: Schemas): readonly unknown[] {
  const target = settled(schema, schemas)
  if (target.const !== undefined) return [target.const]
  return target.enum ?? (target.items === undefined ? [] : choicesOf(target.items, schemas))
}
