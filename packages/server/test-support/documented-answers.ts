import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../src/http/build-http.ts'
import { documentedSchema } from '../src/http/schemas/json-schema.ts'

// On globalThis, because one test process may load this module more than once.
const shared = globalThis as { vedetteUndocumentedAnswers?: Set<string> }
const undocumented = (shared.vedetteUndocumentedAnswers ??= new Set())

/** What answers said since the last call that the OpenAPI document does not. */
export function takeUndocumented(): string[] {
  const taken = [...undocumented]
  undocumented.clear()
  return taken
}

/**
 * Compares every answer of a documented operation with what the document says of it: its status, the body that was sent,
 * and the body before it was written, because writing leaves out what the schema does not name.
 */
export function compareAnswers(app: App): void {
  app.addHook('preSerialization', async (request, reply, payload: unknown) => {
    compare(request, reply, JSON.parse(JSON.stringify(payload)))
    return payload
  })
  app.addHook('onSend', async (request, reply, payload: unknown) => {
    const body = Buffer.isBuffer(payload) ? payload.toString('latin1') : payload
    const isJson = mediaTypeOf(reply) === json && typeof body === 'string'
    compare(request, reply, isJson ? JSON.parse(body) : body)
    return payload
  })
}

const json = 'application/json'

/** An answer that names no type yet is going to be JSON. */
const mediaTypeOf = (reply: FastifyReply): string =>
  String(reply.getHeader('content-type') ?? json).split(';', 1)[0] ?? ''

function compare({ method, routeOptions }: FastifyRequest, reply: FastifyReply, body: unknown): void {
  const { schema, url } = routeOptions
  // A defect is no part of what an operation promises.
  if (schema?.tags === undefined || reply.statusCode === 500) return
  const answer = (schema.response as Record<string, unknown> | undefined)?.[reply.statusCode]
  const problem = problemOf(answer, mediaTypeOf(reply), body)
  if (problem !== undefined) undocumented.add(`${method} ${url} answered ${reply.statusCode}: ${problem}`)
}

function problemOf(answer: unknown, type: string, body: unknown): string | undefined {
  if (answer === undefined) return 'the document does not list this status'
  const schema = schemaOf(answer, type)
  const hasBody = body !== undefined && body !== ''
  if (schema === undefined) return hasBody ? `the document lists no body of type ${type}` : undefined
  const fits = validatorOf(schema)
  return fits(body) ? undefined : [...new Set(fits.errors?.map(textOf))].join(', ')
}

const textOf = ({ instancePath, message, params }: ErrorObject): string =>
  `body${instancePath} ${message} ${JSON.stringify(params)}`

/** An answer is described by its schema, or by its content; one without a body by neither. */
function schemaOf(answer: unknown, type: string): z.ZodType | undefined {
  if (answer instanceof z.ZodType) return answer.def.type === 'undefined' ? undefined : answer
  return (answer as { content?: Record<string, { schema: z.ZodType }> }).content?.[type]?.schema
}

const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)
const validators = new WeakMap<z.ZodType, ValidateFunction>()

/** By the JSON Schema that stands in the document. */
function validatorOf(schema: z.ZodType): ValidateFunction {
  const known = validators.get(schema)
  if (known) return known
  const made = ajv.compile(documentedSchema(schema))
  validators.set(schema, made)
  return made
}
