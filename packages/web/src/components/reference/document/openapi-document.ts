import type { Schema, Schemas } from './json-schema.ts'

interface MediaType {
  schema: Schema
  /** The example of the whole body; those of its members stand in the schema. */
  example?: unknown
}

interface Content {
  content?: Readonly<Record<string, MediaType>>
}

export interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
}

export interface Answer extends Content {
  description?: string
}

interface DescribedOperation {
  operationId: string
  tags?: readonly string[]
  summary?: string
  description?: string
  parameters?: readonly Parameter[]
  requestBody?: Content & { required?: boolean }
  responses: Readonly<Record<string, Answer>>
  security?: readonly unknown[]
}

/** The part of an OpenAPI document that is shown. */
export interface OpenApiDocument {
  info: { title: string; version: string; description?: string }
  tags?: readonly { name: string; description?: string }[]
  paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  components: {
    schemas: Schemas
    securitySchemes?: Readonly<Record<string, { scheme?: string; description?: string }>>
  }
}

/** The schema of a JSON body, with its examples; undefined where there is no such body. */
export function jsonOf({ content }: Content): Schema | undefined {
  const json = content?.['application/json']
  if (json === undefined) return undefined
  return json.example === undefined ? json.schema : { ...json.schema, examples: [json.example] }
}
