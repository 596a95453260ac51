import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { z } from 'zod'
import { invalid, type RequestPart } from '../api-error.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Why this route ignores query parameters it does not know. Without it they are a 400. */
    anyQuery?: string
    /** What the route takes; undefined for a route that takes anything. */
    takes?: { parameters: readonly string[]; body: boolean }
  }
}

/**
 * Refuses query parameters that a route does not know, and fields where it takes no body: a misspelt filter must not be
 * answered as if it were not there. Routes of plugins (static files, the pages of the document) are left alone.
 */
export function refuseUnknown(app: FastifyInstance, isOfPlugin: (url: string) => boolean): void {
  app.addHook('onRoute', (route) => {
    if (route.config?.anyQuery !== undefined || isOfPlugin(route.url)) return
    const body = route.schema?.body !== undefined
    route.config = { ...route.config, takes: { parameters: parametersOf(route), body } }
  })
  app.addHook('preValidation', async (request) => {
    const { takes } = request.routeOptions.config
    if (request.is404 || takes === undefined) return
    checkQuery(request, takes.parameters)
    if (!takes.body) checkBody(request)
  })
}

function parametersOf({ schema, method, url }: RouteOptions): string[] {
  const { querystring } = schema ?? {}
  if (querystring === undefined) return []
  if (querystring instanceof z.ZodObject) return Object.keys(querystring.shape)
  throw new Error(`${String(method)} ${url}: the schema of the query must be an object`)
}

function checkQuery({ query }: FastifyRequest, known: readonly string[]): void {
  const taken = known.length === 0 ? 'this takes none' : `this takes ${known.join(', ')}`
  const unknown = Object.keys(query as object).filter((name) => !known.includes(name))
  refuse(unknown, `is not a known parameter; ${taken}`, 'query')
}

function checkBody({ body }: FastifyRequest): void {
  if (typeof body !== 'object' || body === null) return
  refuse(Object.keys(body), 'is not a known field; this takes no body', 'payload')
}

function refuse(names: readonly string[], message: string, source: RequestPart): void {
  if (names.length === 0) return
  throw invalid(
    names.map((name) => ({ path: name.slice(0, 100), message })),
    source,
  )
}
