import { choicesOf, named, typesOf, type BodySchema, type BodySchemas } from './body-schema.ts'

/** A body that breaks one rule of its schema. */
export interface BrokenBody {
  /** What is wrong, for the message of a test. */
  what: string
  /** Dotted path of the member that breaks the rule. */
  path: string
  /** What is sent. */
  text(): string
}

type Path = readonly (string | number)[]

interface Node {
  path: Path
  schema: BodySchema
  value: unknown
}

/** Stands where text is put that JSON.stringify cannot write. */
const mark = '\u2603broken\u2603'
const deepLevels = 5000
const deep = `${'['.repeat(deepLevels)}${']'.repeat(deepLevels)}`

/** Every way to break the body by its schema, one member at a time. */
export function brokenBodies(body: unknown, schema: BodySchema, schemas: BodySchemas): BrokenBody[] {
  const nodes: Node[] = []
  collect({ path: [], schema, value: body }, schemas, nodes)
  return nodes.flatMap((node) =>
    breaksOf(node).map(({ what, value, at = [] }) => {
      const path = [...node.path, ...at]
      return { what, path: path.join('.'), text: () => textOf(replaced(body, path, value)) }
    }),
  )
}

/** Members of the body beside their schemas, not below a choice of shapes: breaking one may make it another. */
function collect(node: Node, schemas: BodySchemas, into: Node[]): void {
  const schema = named(node.schema, schemas)
  if (schema.readOnly === true || choicesOf(schema).length > 0) return
  into.push({ ...node, schema })
  if (Array.isArray(node.value)) {
    for (const [at, value] of node.value.entries())
      collect({ path: [...node.path, at], schema: schema.items ?? {}, value }, schemas, into)
    return
  }
  if (typeof node.value !== 'object' || node.value === null) return
  for (const [name, value] of Object.entries(node.value)) {
    const member = schema.properties?.[name]
    if (member) collect({ path: [...node.path, name], schema: member, value }, schemas, into)
  }
}

interface Break {
  what: string
  value: unknown
  /** Below the member itself. */
  at?: Path
}

function breaksOf({ path, schema, value }: Node): Break[] {
  const types = typesOf(schema)
  if (types.length === 0) return []
  return [
    ...(path.length === 0 ? [] : wrongTypes(types)),
    ...(typeof value === 'string' ? brokenTexts(schema) : []),
    ...(typeof value === 'number' ? brokenNumbers(schema, types) : []),
    ...(Array.isArray(value) ? brokenLists(schema, value) : []),
    ...(typeof value === 'object' && value !== null && !Array.isArray(value) ? brokenObjects(schema) : []),
  ]
}

const samples: Record<string, unknown> = {
  string: 'text',
  number: 1.5,
  boolean: true,
  array: [],
  object: {},
  null: null,
}

function wrongTypes(types: readonly string[]): Break[] {
  const takes = (type: string) => types.includes(type) || (type === 'number' && types.includes('integer'))
  const wrong = Object.keys(samples).filter((type) => !takes(type))
  return [
    ...wrong.map((type) => ({ what: `${type} in place of ${types.join(' or ')}`, value: samples[type] })),
    { what: 'thousands of levels', value: `${mark}deep` },
  ]
}

function brokenTexts({ enum: choices, minLength = 0, maxLength = Infinity, pattern, format }: BodySchema): Break[] {
  const broken: Break[] = [
    { what: 'a NUL', value: 'a\0b' },
    { what: 'half a character', value: 'a\ud800b' },
  ]
  if (choices || pattern !== undefined || format !== undefined) broken.push({ what: 'no such value', value: '¿?' })
  if (minLength > 0) broken.push({ what: 'an empty text', value: '' })
  if (maxLength < 100_000) broken.push({ what: 'a text too long', value: 'x'.repeat(maxLength + 1) })
  return broken
}

function brokenNumbers({ enum: choices, ...schema }: BodySchema, types: readonly string[]): Break[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  const highest = maximum ?? exclusiveMaximum
  const lowest = minimum ?? exclusiveMinimum
  const broken: Break[] = [{ what: 'a number no double holds', value: `${mark}1e999` }]
  if (types.includes('integer')) broken.push({ what: 'a fraction', value: 1.5 })
  if (types.includes('integer')) broken.push({ what: 'an integer no double holds', value: `${mark}9007199254740993` })
  if (choices) broken.push({ what: 'a number that is none of them', value: 987_654 })
  if (highest !== undefined) broken.push({ what: 'a number too high', value: highest + 1 })
  if (lowest !== undefined) broken.push({ what: 'a number too low', value: lowest - 1 })
  return broken
}

function brokenLists({ minItems = 0, maxItems = Infinity }: BodySchema, value: readonly unknown[]): Break[] {
  const broken: Break[] = []
  if (minItems > 0) broken.push({ what: 'an empty list', value: [] })
  if (maxItems < 2000 && value.length > 0)
    broken.push({ what: 'too many items', value: Array.from({ length: maxItems + 1 }, () => value[0]) })
  return broken
}

function brokenObjects({ required = [], additionalProperties, properties }: BodySchema): Break[] {
  const broken: Break[] = required.map((name) => ({ what: 'nothing', value: undefined, at: [name] }))
  if (additionalProperties === false && properties)
    broken.push(
      { what: 'an unknown field', value: 1, at: ['surprise'] },
      { what: '__proto__', value: 1, at: ['__proto__'] },
    )
  return broken
}

/** A copy of the value with another at the path. */
function replaced(value: unknown, [step, ...rest]: Path, by: unknown): unknown {
  if (step === undefined) return by
  if (Array.isArray(value)) return value.map((item, at) => (at === step ? replaced(item, rest, by) : (item as unknown)))
  const entries = Object.entries(value as object).filter(([name]) => name !== step)
  const old = (value as Record<string | number, unknown>)[step]
  // Not by assignment, which gives an object another prototype where the name is `__proto__`.
  return Object.fromEntries([...entries, [step, replaced(old, rest, by)]])
}

const textOf = (body: unknown): string =>
  JSON.stringify(body)
    .replace(`"${mark}deep"`, deep)
    .replace(new RegExp(`"${mark}([^"]+)"`), '$1')
