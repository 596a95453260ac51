import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { keysOf } from '../test-support/api.ts'
import { givenAccount, useEmptiedDatabase } from '../test-support/database.ts'
import { givenKey } from '../test-support/http.ts'
import { givenWholeApp } from '../test-support/whole-app.ts'
import type { App } from './http/build-http.ts'
import type { RouteEntry } from './http/callers/principal.ts'

interface Schema {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  additionalProperties?: boolean | object
  [key: string]: unknown
}
interface Operation {
  parameters?: { name: string; in: string }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}
interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const database = useEmptiedDatabase()
let app: App
let document: Document
let account: string
let keys: { admin: string; agent: string }

beforeAll(async () => {
  const whole = await givenWholeApp(database.db)
  app = whole
  document = app.swagger() as unknown as Document
  account = await givenAccount(database.db)
  const { admin } = await keysOf(database.db, account)
  keys = { admin, agent: await whole.agentKeys.mintBuiltin('test') }
})

/** Routes that take whatever stands in the query: pages, files, and what must not fail because of it. */
const lenient = /^\/(assets|sign-in|events|-\/liveness|-\/readiness)(\/|$)/

const strictRoutes = () => app.routeTable.filter(({ url, method }) => method !== 'HEAD' && !lenient.test(url))
const nameOf = ({ method, url }: RouteEntry) => `${method} ${url}`
const somewhere = (url: string) => url.replaceAll(/:\w+/g, '1')
const documented = (url: string) => url.replaceAll(/:(\w+)/g, '{$1}')

const call = ({ method, url, access }: RouteEntry, query: string) =>
  app.inject({
    method: method as 'GET',
    url: `${somewhere(url)}?${query}`,
    headers: { authorization: `Bearer ${access === 'agent' ? keys.agent : keys.admin}` },
  })

describe('every route', () => {
  test('of the document is among those that are walked here', () => {
    const walked = new Set(strictRoutes().map(({ method, url }) => `${method} ${documented(url)}`))
    const inDocument = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(inDocument.length).toBeGreaterThan(30)
    expect(inDocument.filter((name) => !walked.has(name))).toEqual([])
  })

  test('refuses a query parameter it does not know, and names it and those it takes', async () => {
    for (const route of strictRoutes()) {
      const response = await call(route, 'limti=5&__proto__=1')
      expect(response.statusCode, nameOf(route)).toBe(400)
      const { message, validation } = response.json<{ message: string; validation: object }>()
      expect(validation, nameOf(route)).toEqual({ source: 'query', keys: ['limti', '__proto__'] })
      const operation = document.paths[documented(route.url)]?.[route.method.toLowerCase()]
      const taken = (operation?.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name)
      const accepted = taken.length === 0 ? 'this takes none' : `this takes ${taken.join(', ')}`
      expect(message, nameOf(route)).toBe(`"limti" is not a known parameter; ${accepted}`)
    }
  })

  test('that is a list says which field, rule and value is wrong', async () => {
    const wrong: Record<string, [query: string, message: string][]> = {
      limit: [
        ['limit=0', '"limit" must be at least 1, got 0'],
        ['limit=101', '"limit" must be at most 100, got 101'],
        ['limit=ten', '"limit" must be a number, got "ten"'],
        ['limit=1.5', '"limit" must be a whole number, got 1.5'],
        ['limit=', '"limit" must be a number, got ""'],
        ['limit=1&limit=2', '"limit" must be a number, got an array'],
      ],
      page: [
        ['page=0', '"page" must be at least 1, got 0'],
        ['page=-1', '"page" must be at least 1, got -1'],
      ],
      from: [['from=soon', '"from" must be a UNIX timestamp in seconds or an ISO 8601 date, got "soon"']],
      hasFailures: [['hasFailures=yes', '"hasFailures" must be a boolean, got "yes"']],
      checkType: [['checkType=FTP', '"checkType" must be one of AGENTIC, API, BROWSER']],
    }
    const lists = strictRoutes().filter(({ url }) => document.paths[documented(url)]?.['get'] !== undefined)
    let asked = 0
    for (const route of lists.filter(({ method }) => method === 'GET')) {
      const { parameters = [] } = document.paths[documented(route.url)]?.['get'] ?? {}
      for (const [query, message] of parameters.flatMap(({ name }) => wrong[name] ?? [])) {
        // Groups have numbers, everything else with a list below it has UUIDs.
        const path = route.url.replace('check-groups/:id', 'check-groups/1').replaceAll(/:\w+/g, randomUUID())
        const url = `${path}?${query}`
        // Some of them may be called a few times only with the same key.
        const key = await givenKey(database.db, account, 'admin')
        const response = await app.inject({ url, headers: { authorization: `Bearer ${key}` } })
        expect(response.statusCode, `${nameOf(route)} ${query}`).toBe(400)
        expect(response.json<{ message: string }>().message, nameOf(route)).toContain(message)
        asked++
      }
    }
    expect(asked).toBeGreaterThan(40)
  })

  test('that takes no body refuses one with fields, and takes an empty one', async () => {
    const withoutBody = strictRoutes().filter(
      ({ method, url, access }) =>
        url.startsWith('/v') &&
        access !== 'agent' &&
        method !== 'GET' &&
        document.paths[documented(url)]?.[method.toLowerCase()]?.requestBody === undefined,
    )
    expect(withoutBody.length).toBeGreaterThan(4)
    for (const route of withoutBody) {
      const send = (payload: object) =>
        app.inject({
          method: route.method as 'POST',
          url: somewhere(route.url),
          headers: { authorization: `Bearer ${keys.admin}` },
          payload,
        })
      const refused = await send({ locations: ['eu-west-1'] })
      expect(refused.statusCode, nameOf(route)).toBe(400)
      expect(refused.json(), nameOf(route)).toMatchObject({ validation: { source: 'payload', keys: ['locations'] } })
      expect((await send({})).statusCode, nameOf(route)).not.toBe(400)
    }
  })

  test('takes bodies whose objects know all their fields, however deep', () => {
    const lenientObjects: string[] = []
    for (const [path, operations] of Object.entries(document.paths))
      for (const [method, { requestBody }] of Object.entries(operations))
        for (const { schema } of Object.values(requestBody?.content ?? {}))
          walk(schema, `${method} ${path}`, (object, at) => {
            if (object.additionalProperties !== false) lenientObjects.push(at)
          })
    expect(lenientObjects).toEqual([])
  })
})

/** Visits every object with named fields. Maps, whose names are free, have `additionalProperties` and no `properties`. */
function walk(schema: unknown, at: string, visit: (object: Schema, at: string) => void): void {
  if (typeof schema !== 'object' || schema === null) return
  const { $ref, properties, ...rest } = schema as Schema
  if ($ref !== undefined) return walk(document.components.schemas[$ref.split('/').at(-1) ?? ''], at, visit)
  if (properties !== undefined) visit(schema as Schema, at)
  for (const [name, field] of Object.entries(properties ?? {})) walk(field, `${at} ${name}`, visit)
  for (const part of Object.values(rest)) walk(part, at, visit)
}
