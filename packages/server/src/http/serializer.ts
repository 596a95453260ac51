import fastJson from 'fast-json-stringify'
import type { FastifySerializerCompiler } from 'fastify'
import type { z } from 'zod'
import { outputSchema } from './json-schema.ts'

const compiled = new WeakMap<z.ZodType, (data: unknown) => string>()

/** Writes answers from their schema, compiled once for each schema. */
export const serializerCompiler: FastifySerializerCompiler<z.ZodType> = ({ schema }) => {
  const known = compiled.get(schema)
  if (known) return known
  const write = schema.def.type === 'undefined' ? () => '' : fastJson(outputSchema(schema) as never)
  compiled.set(schema, write)
  return write
}
