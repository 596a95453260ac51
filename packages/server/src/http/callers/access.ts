import type { Role } from '@vedette/wire'
import { roles } from '@vedette/wire'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../../db/database.ts'
import { forbidden, tooManyRequests, unauthorized } from '../../api-error.ts'
import type { Authenticator } from '../../access/authenticator.ts'
import { operatorAccount } from '../../access/credential-store.ts'
import { bearerToken, sessionCookie } from './credentials.ts'
import type { Access, Principal } from './principal.ts'
import { checkSameOrigin } from './same-origin.ts'
import { throttle } from './throttle.ts'

export interface AccessOptions {
  db: Database
  /** Monotonic milliseconds. */
  now(): number
  baseUrl: () => string
  authenticate: Authenticator
  /** Accepted names of the account header, lower case. */
  accountHeaders: readonly string[]
  /** Path prefixes of files that anybody may read, as often as a browser asks for them. */
  publicPrefixes: readonly string[]
}

/** Every route must declare who may call it; a route that does not stops the start. */
export function guardRoutes(app: FastifyInstance, options: AccessOptions): void {
  app.decorate('routeTable', [])
  app.decorateRequest('principal')
  app.addHook('onRoute', (route) => {
    const isPublic = options.publicPrefixes.some((prefix) => route.url === prefix || route.url.startsWith(`${prefix}/`))
    const access = route.config?.access ?? (isPublic ? 'public' : undefined)
    if (access === undefined) throw new Error(`${String(route.method)} ${route.url} declares no config.access`)
    route.config = { ...(isPublic && { rateLimit: false }), ...route.config, access }
    for (const method of [route.method].flat()) app.routeTable.push({ method, url: route.url, access })
  })
  const signIn = signInWith(options)
  app.addHook('onRequest', async (request) => {
    const { access } = request.routeOptions.config
    if (request.is404 || access === undefined || access === 'public' || access === 'agent') return
    request.principal = await signIn(request)
    await checkRole(request.principal, access, options.db)
  })
}

function signInWith(options: AccessOptions): (request: FastifyRequest) => Promise<Principal> {
  const failures = throttle({ now: () => options.now(), tries: 60, windowMs: 60_000 })
  return async (request) => {
    const rawKey = bearerToken(request)
    if (rawKey === undefined || !options.authenticate.wasGood(rawKey)) {
      const seconds = failures.waitSeconds(request.ip)
      if (seconds > 0) throw tooManyRequests('Too many failed sign-ins from this address; try again later.', seconds)
    }
    const principal = await (rawKey === undefined ? bySession(request, options) : byKey(request, rawKey, options))
    if (principal) return principal
    if (rawKey !== undefined || request.headers.authorization !== undefined) failures.failed(request.ip)
    throw unauthorized(
      request.headers.authorization === undefined
        ? 'Send an API key as "Authorization: Bearer <key>".'
        : 'The API key is not known, was revoked or has expired.',
    )
  }
}

async function byKey(request: FastifyRequest, rawKey: string, options: AccessOptions): Promise<Principal | undefined> {
  const key = await options.authenticate.key(rawKey)
  if (!key) return undefined
  const wanted = accountHeader(request, options.accountHeaders)
  if (wanted !== undefined && wanted !== key.accountId) throw forbidden('The API key belongs to another account.')
  if (key.isSuspended) throw suspended()
  return { accountId: key.accountId, role: key.role, actor: `key:${key.id}`, keyId: key.id, cookie: false }
}

async function bySession(request: FastifyRequest, options: AccessOptions): Promise<Principal | undefined> {
  const token = request.headers.authorization === undefined ? request.cookies[sessionCookie] : undefined
  if (token === undefined) return undefined
  const session = await options.authenticate.session(token)
  if (!session) return undefined
  checkSameOrigin(request, options.baseUrl())
  const accountId = accountHeader(request, options.accountHeaders) ?? session.accountId
  const membership = session.memberships.get(accountId)
  if (membership === undefined) throw forbidden('You are not a member of this account.')
  if (membership.isSuspended && request.routeOptions.config.whenSuspended !== true) throw suspended()
  const { role } = membership
  return { accountId, role, actor: `user:${session.userId}`, userId: session.userId, cookie: true }
}

const suspended = () =>
  forbidden('This account is suspended: its checks do not run. Ask whoever operates this installation.')

function accountHeader(request: FastifyRequest, names: readonly string[]): string | undefined {
  const values = names.map((name) => request.headers[name]).filter((value) => typeof value === 'string' && value !== '')
  const distinct = new Set(values.map((value) => String(value).trim().toLowerCase()))
  if (distinct.size > 1) throw forbidden('The account headers name different accounts.')
  return [...distinct][0]
}

async function checkRole(
  principal: Principal,
  access: Exclude<Access, 'public' | 'agent'>,
  db: Database,
): Promise<void> {
  const needed: Role = access === 'operator' ? 'admin' : access
  if (roles.indexOf(principal.role) < roles.indexOf(needed)) {
    throw forbidden(`This needs the role ${needed}; yours is ${principal.role}.`)
  }
  if (access === 'operator' && (await operatorAccount(db)) !== principal.accountId) {
    throw forbidden('This needs an admin of the account that operates the installation.')
  }
}
