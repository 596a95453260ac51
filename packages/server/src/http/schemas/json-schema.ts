import { z } from 'zod'

type JsonSchema = z.core.JSONSchema.BaseSchema

/** Corrects zod's JSON Schema for the OpenAPI document. */
export function tidy({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: JsonSchema }): void {
  const { def } = zodSchema._zod
  if (def.type === 'undefined') jsonSchema.type = 'null'
  // zod leaves out the examples of requests in which something is transformed; ours are of what is sent.
  const { examples } = z.globalRegistry.get(zodSchema) ?? {}
  if (examples !== undefined) jsonSchema.examples = examples as never
  if (def.type === 'nullable') mergeNull(jsonSchema)
  if (def.type === 'default') jsonSchema.default ??= (def as z.core.$ZodDefaultDef).defaultValue as never
  if (def.type === 'literal' && jsonSchema.enum && !jsonSchema.type) typeOfEnum(jsonSchema)
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
}

/** `anyOf [X, null]` of a plain type becomes `type: [X, null]`, which is shorter to read and faster to write. */
function mergeNull(jsonSchema: JsonSchema): void {
  const [inner, none] = jsonSchema.anyOf ?? []
  if (!inner || none?.type !== 'null' || typeof inner.type !== 'string' || '$ref' in inner) return
  delete jsonSchema.anyOf
  Object.assign(jsonSchema, inner, { type: [inner.type, 'null'] })
  if (jsonSchema.enum && !jsonSchema.enum.includes(null)) jsonSchema.enum = [...jsonSchema.enum, null]
}

function typeOfEnum(jsonSchema: JsonSchema): void {
  const types = new Set(jsonSchema.enum?.map((value) => typeof value))
  if (types.size === 1) Object.assign(jsonSchema, { type: [...types][0] })
}

const asStored = new WeakSet<z.core.$ZodType>()

/** Marks a schema of stored values that others produced: they are written unchanged, whatever the schema documents. */
export function writtenAsStored(schema: z.core.$ZodType): void {
  asStored.add(schema)
}

/** The schema as the document has it, for answers. What is written as stored is anything. */
export function documentedSchema(schema: z.ZodType): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'output',
    override: (context) => {
      tidy(context)
      if (asStored.has(context.zodSchema)) becomeAny(context.jsonSchema)
    },
  })
}

/** JSON Schema for fast-json-stringify: fields that are not in it are not sent. */
export function outputSchema(schema: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(schema, {
    io: 'output',
    unrepresentable: 'any',
    reused: 'inline',
    override: (context) => {
      tidy(context)
      forWriting(context.jsonSchema)
      if (asStored.has(context.zodSchema)) becomeAny(context.jsonSchema)
    },
  })
}

/** Drops what only documents: names, texts and value lists slow writing down, and an `anyOf` needs a validator. */
function forWriting(jsonSchema: JsonSchema): void {
  for (const key of ['id', 'description', 'enum', 'const', 'pattern', 'format', 'minimum', 'maximum'] as const) {
    if (key === 'enum' && !jsonSchema.type) continue
    delete jsonSchema[key]
  }
}

function becomeAny(jsonSchema: JsonSchema): void {
  for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
}
