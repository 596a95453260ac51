import type { FastifySchemaCompiler } from 'fastify'
import type { z } from 'zod'

/** The invalid part of a request. The error handler knows the route and its secret fields and writes the message. */
export class RequestInvalid extends Error {
  readonly issues: readonly z.core.$ZodIssue[]

  constructor(issues: readonly z.core.$ZodIssue[]) {
    super('The request is not valid.')
    this.issues = issues
  }
}

const byRoute = new WeakSet<z.ZodType>()

/** Marks the schema of a body that its route parses with `parseBody`, because it must read something first. */
export function parsedByRoute<T extends z.ZodType>(schema: T): T {
  byRoute.add(schema)
  return schema
}

/** The body by the schema. Throws what the error handler answers with a 400. */
export function parseBody<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const { data, error } = schema.safeParse(body, { reportInput: true })
  if (error) throw new RequestInvalid(error.issues)
  return data
}

/** Parses each part of a request with its zod schema. Throws at start for a body schema that accepts unknown fields. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart, method, url }) => {
  if (httpPart === 'body' && isLenientObject(schema)) {
    throw new Error(`${method} ${url}: the body schema must be strict (z.strictObject)`)
  }
  if (byRoute.has(schema)) return (data) => ({ value: data })
  return (data) => {
    const result = schema.safeParse(data, { reportInput: true })
    return result.success ? { value: result.data } : { error: new RequestInvalid(result.error.issues) }
  }
}

function isLenientObject(schema: z.ZodType): boolean {
  const def = schema.def as { type: string; catchall?: z.ZodType }
  return def.type === 'object' && def.catchall?.def.type !== 'never'
}

/** Path of the first string that PostgreSQL cannot store: with a NUL or half of a surrogate pair. */
export function unstorableText(value: unknown): string | undefined {
  if (typeof value === 'string') return isUnstorable(value) ? '' : undefined
  for (const { holder, key, path, value: held } of membersOf(value)) {
    if (isUnstorable(key)) return holder
    if (typeof held === 'string' && isUnstorable(held)) return path
  }
  return undefined
}

/** Path of the first name that would change what an object inherits where the object is copied carelessly. */
export function unsafeName(value: unknown): string | undefined {
  for (const { holder, key, path } of membersOf(value))
    if (key === '__proto__' || (key === 'prototype' && /(^|\.)constructor$/.test(holder))) return path
  return undefined
}

/** Every member of a value and of what it holds. Not recursive, because a body may nest deeper than the stack. */
function* membersOf(value: unknown): Generator<{ holder: string; key: string; path: string; value: unknown }> {
  const open: { value: unknown; path: string }[] = [{ value, path: '' }]
  for (let next = open.pop(); next; next = open.pop()) {
    if (next.value === null || typeof next.value !== 'object') continue
    for (const [key, child] of Object.entries(next.value)) {
      const path = next.path === '' ? key : `${next.path.slice(0, 200)}.${key}`
      yield { holder: next.path, key, path, value: child }
      open.push({ value: child, path })
    }
  }
}

const isUnstorable = (text: string): boolean => text.includes('\0') || !isWellFormed(text)

const isWellFormed = (text: string): boolean =>
  !/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text)
