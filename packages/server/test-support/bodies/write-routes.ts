import { randomUUID } from 'node:crypto'
import type { App } from '../../src/http/build-http.ts'
import type { RouteEntry } from '../../src/http/callers/principal.ts'
import { checkBodies } from '../check-bodies.ts'
import type { BodySchema, BodySchemas } from './body-schema.ts'

interface Document {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: BodySchema }> } }>>
  components: { schemas: BodySchemas }
}

export interface WriteRoute extends RouteEntry {
  /** Undefined: it takes no body, or is not in the document. */
  body: BodySchema | undefined
  isDocumented: boolean
}

export const schemasOf = (app: App): BodySchemas => (app.swagger() as unknown as Document).components.schemas

/** Every route that is not there for reading only, with the schema that the document has of its body. */
export function writeRoutes(app: App): WriteRoute[] {
  const { paths } = app.swagger() as unknown as Document
  return app.routeTable
    .filter(({ method, access }) => !['GET', 'HEAD', 'OPTIONS'].includes(method) && access !== 'agent')
    .map((route) => {
      const operation = paths[route.url.replaceAll(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()]
      const body = operation?.requestBody?.content['application/json']?.schema
      return { ...route, body, isDocumented: operation !== undefined }
    })
}

export type Send = (method: string, url: string, payload: unknown) => Promise<{ status: number; json: Json }>
export type Json = Record<string, unknown>

export const sendWith =
  (app: App, key: string): Send =>
  async (method, url, payload) => {
    const { statusCode, body } = await app.inject({
      method: method as 'POST',
      url,
      headers: { authorization: `Bearer ${key}`, ...(payload !== undefined && { 'content-type': 'application/json' }) },
      ...(payload !== undefined && { payload: typeof payload === 'string' ? payload : JSON.stringify(payload) }),
    })
    return { status: statusCode, json: body.startsWith('{') ? (JSON.parse(body) as Json) : {} }
  }

const channel = { type: 'EMAIL', config: { address: 'on-call@shop.example' } }

/** What is created at an address, and which field of the answer is its name in other addresses. */
const creations: Record<string, [body: Json, id: string]> = {
  ...Object.fromEntries(
    Object.entries(checkBodies).map(([path, body]): [string, [Json, string]] => [
      `/v1/checks/${path}`,
      [{ name: 'Shop', ...body }, 'id'],
    ]),
  ),
  '/v1/check-groups': [{ name: 'Shop' }, 'id'],
  '/v1/alert-channels': [channel, 'id'],
  '/v1/variables': [{ key: 'SHOP', value: 'x' }, 'key'],
  '/v1/snippets': [{ name: 'Shop', script: 'x()' }, 'id'],
  '/v1/private-locations': [{ name: 'Office', slugName: 'office' }, 'id'],
}

/** The address under which things are created that another address names. */
const createdAt: Record<string, string> = {
  '/v1/checks': '/v1/checks/api',
  '/v1/triggers/checks': '/v1/checks/api',
  '/v1/triggers/check-groups': '/v1/check-groups',
  '/v2/check-groups': '/v1/check-groups',
}

/** A body with what a route asks for at least, as far as there is something of its kind to create; else an empty one. */
export const leastBody = ({ url }: Pick<WriteRoute, 'url'>): Json =>
  creations[url.replace(/\/(:id|dry-run)$/, '')]?.[0] ?? {}

/** The address of what was created, by the answer; undefined where it cannot be read alone. */
export function readingAddress(app: App, url: string, created: Json): string | undefined {
  const collection = url
    .replace(/^\/v1\/checks\/\w+$/, '/v1/checks')
    .replace(/^\/v2\/check-groups$/, '/v1/check-groups')
  const route = app.routeTable.find(
    (one) => one.method === 'GET' && one.url.replace(/\/:\w+$/, '/') === `${collection}/`,
  )
  const name = String(created[creations[url]?.[1] ?? 'id'])
  return route && `${collection}/${encodeURIComponent(name)}`
}

/** The address of a route, naming a thing that there is where one can be created. */
export async function addressOf(url: string, send: Send): Promise<string> {
  const [before = '', ...rest] = url.split(/\/:\w+/)
  if (rest.length === 0) return url
  const [body, id] = creations[createdAt[before] ?? before] ?? []
  if (body === undefined || id === undefined) return url.replaceAll(/:\w+/g, () => randomUUID())
  const { status, json } = await send('POST', createdAt[before] ?? before, body)
  if (status !== 201) throw new Error(`POST ${before}: ${status} ${JSON.stringify(json)}`)
  return `${before}/${String(json[id])}${rest.join('/1')}`
}
