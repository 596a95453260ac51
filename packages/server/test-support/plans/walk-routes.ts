import { randomUUID } from 'node:crypto'
import {
  exampleOf,
  operationsOf,
  variantsOf,
  type OpenApiDocument,
} from '../../../web/test-support/request-examples.ts'
import type { App } from '../../src/http/build-http.ts'
import type { RouteEntry } from '../../src/http/callers/principal.ts'
import type { SentStatement } from '../recorded-statements.ts'
import type { Things } from '../route-things.ts'

type Operation = ReturnType<typeof operationsOf>[number]
type Schemas = OpenApiDocument['components']['schemas']

/** What became of the calls of a route. */
export interface WalkedRoute {
  name: string
  answers: Set<number>
}

export interface Walked {
  routes: WalkedRoute[]
  /** Every statement that was sent, with the first route that sent it. */
  sent: ReadonlyMap<string, { route: string; statement: SentStatement }>
}

export interface Walk {
  app: App
  headers: Record<string, string>
  things: Things
  /** Fills as calls are answered. */
  statements: readonly SentStatement[]
  /** Bodies where the example of the document is not what makes the route work. */
  bodies: Readonly<Record<string, unknown>>
  /** Parameters where those of the document, one at a time, do not make the route work. */
  queries: Readonly<Record<string, string>>
  /** Routes that are left out. */
  except: ReadonlySet<string>
}

const nameOf = ({ method, url }: RouteEntry): string => `${method} ${url}`

/** Reading comes first, and what was deleted comes back. */
const turns = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'restore'] as const
const turnOf = ({ method, url }: RouteEntry) =>
  turns.indexOf(url.endsWith('/restore') ? 'restore' : (method as (typeof turns)[number]))

/**
 * Calls every route of the management API: one that reads with each value of each parameter, one that writes with each shape
 * of its body.
 */
export async function walkRoutes(walk: Walk): Promise<Walked> {
  const { app, statements, except } = walk
  const document = app.swagger() as unknown as OpenApiDocument
  const operations = new Map(operationsOf(document).map((each) => [`${each.method} ${each.path}`, each]))
  const routes: WalkedRoute[] = []
  const sent = new Map<string, { route: string; statement: SentStatement }>()
  const ofApi = app.routeTable
    .filter((route) => route.method !== 'HEAD' && route.access !== 'agent' && !except.has(nameOf(route)))
    .toSorted((a, b) => turnOf(a) - turnOf(b))
  for (const route of ofApi) {
    const from = statements.length
    const operation = operations.get(`${route.method} ${route.url.replaceAll(/:(\w+)/g, '{$1}')}`)
    const answers = await callAll(walk, route, operation, document.components.schemas)
    routes.push({ name: nameOf(route), answers })
    for (const statement of statements.slice(from))
      if (!sent.has(statement.text)) sent.set(statement.text, { route: nameOf(route), statement })
  }
  return { routes, sent }
}

async function callAll(
  { app, headers, things, bodies, queries }: Walk,
  route: RouteEntry,
  operation: Operation | undefined,
  schemas: Schemas,
): Promise<Set<number>> {
  const url = addressOf(route, things)
  const answers = new Set<number>()
  const stated = queries[nameOf(route)]
  for (const query of stated === undefined ? queriesOf(operation, schemas) : [`?${stated}`])
    for (const payload of bodiesOf(operation, schemas, bodies[nameOf(route)])) {
      const { statusCode } = await app.inject({
        method: route.method as 'GET',
        url: `${url}${query}`,
        headers,
        ...(payload !== undefined && { payload: payload as object }),
      })
      answers.add(statusCode)
    }
  return answers
}

/** Who has no key names things by a token, and who operates the installation those of others: here there are none. */
function addressOf({ url, access }: RouteEntry, things: Things): string {
  const address =
    things.get(url) ?? (access === 'public' || access === 'operator' || !url.includes(':') ? url : undefined)
  if (address === undefined) throw new Error(`Tell this test of a thing at ${url}`)
  return address.replaceAll(/:\w+/g, () => randomUUID())
}

/** Without what need not be said, then with each value of each parameter. */
function queriesOf(operation: Operation | undefined, schemas: Schemas): string[] {
  const parameters = (operation?.parameters ?? []).filter((each) => each.in === 'query')
  const pairs = parameters.map(({ name, schema, required }) => ({
    required: required === true,
    pairs: valuesOf(schema, schemas).map((value) => `${name}=${encodeURIComponent(String(value))}`),
  }))
  const needed = pairs.filter(({ required }) => required).map((each) => each.pairs[0] ?? '')
  const optional = pairs.filter(({ required }) => !required).flatMap((each) => each.pairs)
  return [needed, ...optional.map((pair) => [...needed, pair])].map((parts) =>
    parts.length === 0 ? '' : `?${parts.join('&')}`,
  )
}

type Schema = Parameters<typeof exampleOf>[0]

function valuesOf(schema: Schema, schemas: Schemas): unknown[] {
  const variants = variantsOf(schema, schemas).map((variant) => variant.schema)
  if (variants.length > 0) return variants.flatMap((variant) => valuesOf(variant, schemas))
  const { items } = schema as { items?: Schema }
  if (items !== undefined) return valuesOf(items, schemas)
  if (schema.enum !== undefined) return [...schema.enum]
  if ((schema as { type?: unknown }).type === 'boolean') return [true, false]
  return [exampleOf(schema, schemas, new Date())]
}

function bodiesOf(operation: Operation | undefined, schemas: Schemas, stated: unknown): unknown[] {
  if (stated !== undefined) return [stated]
  if (operation?.body === undefined) return [undefined]
  const variants = variantsOf(operation.body, schemas).map(({ schema }) => schema)
  return (variants.length === 0 ? [operation.body] : variants).map((schema) => exampleOf(schema, schemas, new Date()))
}
