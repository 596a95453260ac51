import { roles, systemClock, type Role } from '@vedette/wire'
import { registerApi } from '../src/api.ts'
import { writer } from '../src/access/write.ts'
import type { Database } from '../src/db/database.ts'
import { givenAccount } from './database.ts'
import { authenticator } from '../src/access/authenticator.ts'
import type { App, HttpOptions } from '../src/http/build-http.ts'
import { sessionEnds } from '../src/sessions/index.ts'
import type { ApiDeps, ApiHooks, CheckChange } from '../src/resources/api-deps.ts'
import { memoryAssets } from './assets.ts'
import { givenKey, openTestHttp, testBaseUrl } from './http.ts'
import { testVault } from './vault.ts'

type Json = Record<string, unknown>

interface Answer {
  status: number
  headers: Record<string, unknown>
  text: string
  /** The body as an object; a list is under `list`. */
  body: Json
  list: Json[]
}

export interface TestApi {
  app: App
  deps: ApiDeps
  accountId: string
  keys: Record<Role, string>
  /** Calls of the hooks, in order. */
  changes: ({ checkId: string } & CheckChange)[]
  call(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, more?: CallOptions): Promise<Answer>
}

interface CallOptions {
  body?: unknown
  key?: string
  headers?: Record<string, string>
}

/** The dependencies of the management API. Hooks do nothing by default. */
export const apiDeps = (db: Database, hooks: Partial<ApiHooks> = {}): ApiDeps => ({
  db,
  clock: systemClock,
  vault: testVault,
  write: writer({ db, clock: systemClock, log: { error: () => undefined } }),
  hooks: {
    checkChanged: () => undefined,
    checksChanged: () => undefined,
    acknowledged: () => undefined,
    manyChanged: () => undefined,
    locationsChanged: () => undefined,
    variablesChanged: () => undefined,
    certificatesChanged: () => undefined,
    runsRequested: () => undefined,
    sessionsCancelled: () => undefined,
    dryRun: () => Promise.resolve(undefined),
    ...hooks,
  },
  sessionEnds: sessionEnds(systemClock),
  assets: memoryAssets(),
  authenticate: authenticator(db),
  agentsSeen: () => undefined,
  staticIps: [],
  baseUrl: () => testBaseUrl,
})

/** The whole management API on the database, with an account of its own and a key for each role. */
export async function givenApi(
  db: Database,
  options: { hooks?: Partial<ApiHooks>; http?: Partial<HttpOptions>; deps?: Partial<ApiDeps> } = {},
): Promise<TestApi> {
  const changes: TestApi['changes'] = []
  const checkChanged: ApiHooks['checkChanged'] = (checkId, change) => void changes.push({ checkId, ...change })
  const manyChanged: ApiHooks['manyChanged'] = (_, many) => void changes.push(...many)
  const deps = { ...apiDeps(db, { checkChanged, manyChanged, ...options.hooks }), ...options.deps }
  const { authenticate } = deps
  const app = await openTestHttp(db, (http) => registerApi(http, deps), { authenticate, ...options.http })
  const accountId = await givenAccount(db)
  const keys = await keysOf(db, accountId)
  return { app, deps, accountId, keys, changes, call: callWith(app, keys.admin) }
}

export async function keysOf(db: Database, accountId: string): Promise<Record<Role, string>> {
  const pairs = await Promise.all(roles.map(async (role) => [role, await givenKey(db, accountId, role)] as const))
  return Object.fromEntries(pairs) as Record<Role, string>
}

export const callWith =
  (app: App, adminKey: string): TestApi['call'] =>
  async (method, url, { body, key = adminKey, headers } = {}) => {
    const response = await app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${key}`, ...headers },
      ...(body !== undefined && { payload: body as Json }),
    })
    const isJson = String(response.headers['content-type']).startsWith('application/json') && response.body !== ''
    const parsed: unknown = isJson ? JSON.parse(response.body) : {}
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      body: Array.isArray(parsed) ? {} : (parsed as Json),
      list: Array.isArray(parsed) ? (parsed as Json[]) : [],
    }
  }
