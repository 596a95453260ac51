import type { FastifySchemaCompiler } from 'fastify'
import type { z } from 'zod'

/** What a request failed on. The error handler words it: it knows the route and its secret fields. */
export class RequestInvalid extends Error {
  readonly issues: readonly z.core.$ZodIssue[]

  constructor(issues: readonly z.core.$ZodIssue[]) {
    super('The request is not valid.')
    this.issues = issues
  }
}

/** Parses each part of a request with its zod schema. Refuses, at start, a body that would let unknown fields pass. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart, method, url }) => {
  if (httpPart === 'body' && isLenientObject(schema)) {
    throw new Error(`${method} ${url}: the body schema must be strict (z.strictObject)`)
  }
  return (data) => {
    const result = schema.safeParse(data, { reportInput: true })
    return result.success ? { value: result.data } : { error: new RequestInvalid(result.error.issues) }
  }
}

function isLenientObject(schema: z.ZodType): boolean {
  const def = schema.def as { type: string; catchall?: z.ZodType }
  return def.type === 'object' && def.catchall?.def.type !== 'never'
}

/** Path of the first string that PostgreSQL could not store: a NUL or half of a surrogate pair. */
export function unstorableText(value: unknown, path: string[] = []): string | undefined {
  if (typeof value === 'string') return value.includes('\0') || !isWellFormed(value) ? path.join('.') : undefined
  if (value === null || typeof value !== 'object') return undefined
  for (const [key, child] of Object.entries(value)) {
    const found = unstorableText(key, [...path, 'name of a field']) ?? unstorableText(child, [...path, key])
    if (found !== undefined) return found
  }
  return undefined
}

const isWellFormed = (text: string): boolean =>
  !/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text)
