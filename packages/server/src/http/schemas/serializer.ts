import fastJson from 'fast-json-stringify'
import type { FastifySerializerCompiler } from 'fastify'
import type { z } from 'zod'
import { outputSchema } from './json-schema.ts'

type Writer = (data: unknown) => string

const compiled = new WeakMap<z.ZodType, Writer>()
const byHand = new WeakSet<z.ZodType>()

/** Writes values of the schema as JSON. Fields that are not in it are left out. */
export function writerOf(schema: z.ZodType): Writer {
  const known = compiled.get(schema)
  if (known) return known
  const write: Writer = schema.def.type === 'undefined' ? () => '' : fastJson(outputSchema(schema) as never)
  compiled.set(schema, write)
  return write
}

/** Marks the schema of an answer that its route writes and sends as text: the schema only documents. */
export function writtenByHand<T extends z.ZodType>(schema: T): T {
  byHand.add(schema)
  return schema
}

export const serializerCompiler: FastifySerializerCompiler<z.ZodType> = ({ schema, method, url }) => {
  if (!byHand.has(schema)) return writerOf(schema)
  return () => {
    throw new Error(`${method} ${url} must send its answer as text`)
  }
}
