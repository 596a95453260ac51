import swagger from '@fastify/swagger'
import { errorBody } from '@vedette/wire'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { tidy } from './json-schema.ts'
import { z } from 'zod'
import { operationId, type Method } from './operation-id.ts'
import type { Access } from '../callers/principal.ts'

const errorSchema = errorBody.meta({ id: 'Error', description: 'What went wrong.' })

const errorTexts: Record<number, string> = {
  400: 'A field or a parameter of the request is not acceptable; `message` names field, rule and value.',
  401: 'No key, or one that is not known or was revoked.',
  403: 'The key may not do this.',
  404: 'There is no such thing in this account.',
  408: 'It is not over yet; call again.',
  409: 'The name is taken, the thing is in use, or its state does not allow this.',
  412: 'It was changed since the version named in If-Match.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  429: 'Too many requests; Retry-After says when to go on.',
  503: 'It cannot be done at this moment; Retry-After says when to ask again.',
}

const tags = [
  { name: 'Checks', description: 'Scheduled monitors.' },
  { name: 'Check groups', description: 'Settings, alert channels and variables that checks share.' },
  { name: 'Check sessions', description: 'Runs that were asked for, and what became of them.' },
  { name: 'Triggers', description: 'Addresses that run a check or a group without a key.' },
  { name: 'Check results', description: 'What runs of checks saw.' },
  { name: 'Check statuses', description: 'How checks are now.' },
  { name: 'Alert channels', description: 'Where alerts are sent.' },
  { name: 'Alert notifications', description: 'Which channels were notified of what, when, and whether it arrived.' },
  { name: 'Check alerts', description: 'When checks began and ceased to be in trouble.' },
  { name: 'Snippets', description: 'Pieces of script that checks and groups share.' },
  { name: 'Client certificates', description: 'What checks present to hosts that ask who calls.' },
  { name: 'Variables', description: 'Values that checks and channels use by name.' },
  { name: 'Heartbeats', description: 'Pings of jobs, when the next is expected, and how many came.' },
  { name: 'Saved views', description: 'Views of the list of checks, under a name.' },
  { name: 'Accounts', description: 'Accounts, their settings and their members.' },
  { name: 'API keys', description: 'Keys of this interface.' },
  { name: 'Locations', description: 'Where checks can run.' },
  {
    name: 'Private locations',
    description: 'Locations of the account itself, the keys of their agents, and their queues.',
  },
  { name: 'Static IPs', description: 'Addresses from which checks come.' },
  { name: 'Runtimes', description: 'What scripts of checks can use.' },
  { name: 'Configuration as files', description: 'The settings of the account as a document, and back.' },
  { name: 'Audit log', description: 'Who changed what.' },
  { name: 'Agents', description: 'Programs that run checks, and their keys.' },
  { name: 'Installation', description: 'All accounts, for whoever operates Vedette.' },
  { name: 'Health', description: 'Whether Vedette itself can watch and notify.' },
]

const jsonSchema = { target: 'draft-2020-12', override: tidy } as const
const transform = createJsonSchemaTransform({ zodToJsonConfig: jsonSchema })
const transformObject = createJsonSchemaTransformObject({ zodToJsonConfig: jsonSchema })

/** The document at `/openapi.json`; the web app shows it at `/docs`. Routes without `schema.tags` are not in it. */
export async function describeApi(app: FastifyInstance): Promise<void> {
  app.addHook('onRoute', documentErrors)
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.1',
      info: {
        title: 'Vedette management API',
        version: '1',
        description: 'Checks, their results, alert channels and everything around them.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      tags,
      security: [{ apiKey: [] }],
      components: {
        securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of the account.' } },
      },
    },
    transform: (route) =>
      transform({ ...route, schema: { ...route.schema, hide: route.schema?.tags === undefined || route.schema.hide } }),
    transformObject: (document) => withOperationIds(withoutInputNames(transformObject(document))) as never,
  })
  const isPublic = { config: { access: 'public' }, schema: { hide: true } } as const
  app.get('/openapi.json', isPublic, () => app.swagger())
  // Where programs read the document before. JSON is YAML as well.
  for (const path of ['/docs/json', '/docs/yaml'])
    app.get(path, isPublic, (_request, reply) => reply.redirect('/openapi.json', 308))
}

type DocumentedRoute = RouteOptions & { config?: { access?: Access; errors?: readonly number[] } }

/** Adds the error answers a route can give, so that a route lists only those of its own. */
function documentErrors(route: DocumentedRoute): void {
  const { schema } = route
  if (!schema?.tags) return
  const answers: Record<string, unknown> = { ...(schema.response as Record<string, unknown> | undefined) }
  for (const [status, answer] of Object.entries(answers)) answers[status] = described(Number(status), answer)
  for (const status of errorsOf(route)) {
    answers[status] ??= { description: errorTexts[status], content: { 'application/json': { schema: errorSchema } } }
  }
  schema.response = answers
  if (route.config?.access === 'public') schema.security = []
}

function errorsOf({ schema, url, config, method }: DocumentedRoute): number[] {
  const can: Record<number, boolean> = {
    400: true,
    401: config?.access !== 'public',
    403: config?.access !== 'public',
    404: url.includes(':'),
    409: ['POST', 'PUT', 'PATCH', 'DELETE'].includes(String(method)) && config?.access !== 'public',
    412: ['PUT', 'PATCH', 'DELETE'].includes(String(method)),
    413: Boolean(schema?.body),
    415: Boolean(schema?.body),
    429: true,
  }
  const ofItsKind = Object.keys(can)
    .map(Number)
    .filter((status) => can[status])
  return [...ofItsKind, ...(config?.errors ?? [])]
}

const successTexts: Record<number, string> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted.',
  204: 'Done; there is no body.',
}

/** An answer with the description OpenAPI requires. 204 has no body and keeps its own description. */
function described(status: number, answer: unknown): unknown {
  const text = successTexts[status]
  if (!(answer instanceof z.ZodType) || text === undefined) return answer
  if (answer.def.type === 'undefined') return answer.description === undefined ? answer.describe(text) : answer
  return { description: answer.description ?? text, content: { 'application/json': { schema: answer } } }
}

interface Document {
  components?: { schemas?: Record<string, unknown> }
  paths?: Record<string, Record<string, { operationId?: string }>>
}

/** A route of several methods has one description; each of its operations gets a name of its own. */
function withOperationIds(document: unknown): unknown {
  for (const [path, operations] of Object.entries((document as Document).paths ?? {}))
    for (const [method, operation] of Object.entries(operations))
      operations[method] = { ...operation, operationId: operation.operationId ?? operationId(method as Method, path) }
  return document
}

/** The provider names every shape twice, for reading and writing. Unreferenced copies are dropped. */
function withoutInputNames(document: unknown): unknown {
  const { components } = document as Document
  for (let unused = ['']; unused.length > 0;) {
    // Read once a round: with every name the document would be written out anew, which takes seconds.
    const used = new Set(namesReferred(JSON.stringify(document)))
    unused = Object.keys(components?.schemas ?? {}).filter((name) => !used.has(name))
    for (const name of unused) delete components?.schemas?.[name]
  }
  return document
}

const namesReferred = (text: string): string[] =>
  [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name = '']) => name)
