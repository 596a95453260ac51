import { hash, verify } from '@node-rs/argon2'
import { passwordUpdate, profileResponse, signedInResponse, signInRequest, type Clock } from '@vedette/wire'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { forbidden, invalidField, tooManyRequests, unauthorized } from '../api-error.ts'
import type { Authenticator } from '../access/authenticator.ts'
import { sessionCookie } from '../http/callers/credentials.ts'
import type { App } from '../http/build-http.ts'
import { checkSameOrigin } from '../http/callers/same-origin.ts'
import { throttle } from '../http/callers/throttle.ts'
import { sessionLifetimeMs, type SignInStore } from './store.ts'

interface Options {
  store: SignInStore
  clock: Clock
  baseUrl(): string
  authenticate: Authenticator
}

/** Verified when no user has the address, so that unknown addresses take as long as wrong passwords. */
const nobodysHash = hash('nobody has this password')

/** Sign-in of users: sessions are stored on the server, the browser holds only an HttpOnly cookie. */
export function signInRoutes(app: App, options: Options): void {
  const gate = throttle({ now: () => options.clock.monotonic(), tries: 5, windowMs: 15 * 60_000 })
  passwordRoutes(app, options, gate)
  linkRoute(app, options, gate)
  ownSessionRoutes(app, options)
}

type Gate = ReturnType<typeof throttle>

function passwordRoutes(app: App, options: Options, gate: Gate): void {
  app.post('/session', {
    schema: { body: signInRequest, response: { 200: signedInResponse } },
    config: { access: 'public', secretPaths: ['password'] },
    handler: async (request, reply) => {
      checkSameOrigin(request, options.baseUrl())
      const names = [`address ${request.ip}`, `user ${request.body.email.toLowerCase()}`]
      refuseWhenBlocked(gate, names)
      const user = await options.store.userByEmail(request.body.email)
      const good = await verify(user?.passwordHash ?? (await nobodysHash), request.body.password)
      if (!user || user.passwordHash === null || !good) {
        for (const name of names) gate.failed(name)
        throw unauthorized('The address or the password is wrong.')
      }
      for (const name of names) gate.succeeded(name)
      await openSession(options, user, request, reply)
      return { accountId: user.accountId }
    },
  })

  app.put('/session/password', {
    schema: { body: passwordUpdate, response: { 204: z.null() } },
    config: { access: 'read', secretPaths: ['password', 'currentPassword'] },
    handler: async (request, reply) => {
      const { userId } = request.principal
      if (userId === undefined) throw forbidden('An API key has no password; sign in to the web app.')
      await checkCurrentPassword(options.store, gate, {
        userId,
        accountId: request.principal.accountId,
        sent: request.body.currentPassword,
      })
      const passwordHash = await hash(request.body.password)
      await options.store.setPassword({
        userId,
        passwordHash,
        keep: request.cookies[sessionCookie],
        now: options.clock.now(),
      })
      options.authenticate.forget()
      return reply.code(204).send(null)
    },
  })
}

/** Access to an open browser must not be enough to change the password. */
async function checkCurrentPassword(
  store: SignInStore,
  gate: Gate,
  of: { userId: string; accountId: string; sent: string | undefined },
) {
  const user = await store.profile(of.userId, of.accountId)
  if (!user?.hasPassword) return
  const name = `password ${of.userId}`
  refuseWhenBlocked(gate, [name])
  const known = await store.userByEmail(user.email)
  if (known?.passwordHash && of.sent !== undefined && (await verify(known.passwordHash, of.sent)))
    return gate.succeeded(name)
  gate.failed(name)
  throw invalidField('currentPassword', 'is not your password')
}

function linkRoute(app: App, options: Options, gate: Gate): void {
  app.get('/sign-in', {
    schema: { querystring: z.object({ token: z.string().max(200).optional() }) },
    config: { access: 'public', anyQuery: 'It is a page of the web app, with parameters of its own.' },
    handler: async (request, reply) => {
      if (request.query.token === undefined) return reply.callNotFound()
      refuseWhenBlocked(gate, [`link ${request.ip}`])
      const user = await options.store.useLink(request.query.token, options.clock.now())
      if (!user) {
        gate.failed(`link ${request.ip}`)
        return reply.redirect('/sign-in?used=1', 303)
      }
      await openSession(options, user, request, reply)
      return reply.redirect('/', 303)
    },
  })
}

function ownSessionRoutes(app: App, options: Options): void {
  app.get('/session', {
    schema: { response: { 200: profileResponse } },
    config: { access: 'read' },
    handler: async (request) => {
      const { accountId, userId } = request.principal
      const found = userId === undefined ? undefined : await options.store.profile(userId, accountId)
      if (!found) throw unauthorized('Sign in to the web app first.')
      return { ...found, accountId }
    },
  })

  app.delete('/session', {
    schema: { response: { 204: z.null() } },
    config: { access: 'read' },
    handler: async (request, reply) => {
      const token = request.cookies[sessionCookie]
      if (token !== undefined) await options.store.revokeSession(token, options.clock.now())
      options.authenticate.forget()
      return reply.clearCookie(sessionCookie, { path: '/' }).code(204).send(null)
    },
  })
}

function refuseWhenBlocked(gate: Gate, names: readonly string[]): void {
  const seconds = Math.max(...names.map((name) => gate.waitSeconds(name)))
  if (seconds > 0) throw tooManyRequests('Too many failed tries; wait before the next one.', seconds)
}

async function openSession(
  options: Options,
  user: { userId: string; accountId: string },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const token = await options.store.openSession(user, options.clock.now(), request.headers['user-agent'])
  reply.setCookie(sessionCookie, token, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: options.baseUrl().startsWith('https:'),
    maxAge: sessionLifetimeMs / 1000,
  })
}
