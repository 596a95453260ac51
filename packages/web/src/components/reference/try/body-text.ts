import { exampleOf } from './example-of.ts'
import type { Schema, Schemas } from '../document/json-schema.ts'

/** The example of a body as a text to edit; empty where there is no body. */
export const startingBody = (schema: Schema | undefined, schemas: Schemas): string =>
  schema === undefined ? '' : JSON.stringify(exampleOf(schema, schemas, new Date()), null, 2)

/** What keeps a text from being JSON; undefined when it is. */
export function jsonFault(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return `This is no JSON: ${error instanceof Error ? error.message : String(error)}`
  }
}
