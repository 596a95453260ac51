import { hash, verify } from '@node-rs/argon2'
import { passwordUpdate, signedInResponse, signInRequest } from '@vedette/wire'
import { z } from 'zod'
import { invalidField, unauthorized } from '../api-error.ts'
import { contextOf } from '../http/callers/verb-context.ts'
import { sessionCookie } from '../http/callers/credentials.ts'
import type { App } from '../http/build-http.ts'
import { checkSameOrigin } from '../http/callers/same-origin.ts'
import { openSession, personOf, refuseWhenBlocked, type Gate, type SignInOptions } from './open-session.ts'
import { secondFactor } from './second-factor.ts'
import type { SignInStore } from './store.ts'

/** Verified when no user has the address, so that unknown addresses take as long as wrong passwords. */
const nobodysHash = hash('nobody has this password')

export function passwordRoutes(app: App, options: SignInOptions, gate: Gate): void {
  const { store, write, authenticate } = options
  const checkCode = secondFactor(options, gate, 401)
  app.post('/session', {
    schema: { body: signInRequest, response: { 200: signedInResponse } },
    config: { access: 'public', secretPaths: ['password', 'code'] },
    handler: async (request, reply) => {
      checkSameOrigin(request, options.baseUrl())
      const names = [`address ${request.ip}`, `user ${request.body.email.toLowerCase()}`]
      refuseWhenBlocked(gate, names)
      const user = await store.userByEmail(request.body.email)
      const good = await verify(user?.passwordHash ?? (await nobodysHash), request.body.password)
      if (!user || user.passwordHash === null || !good) {
        for (const name of names) gate.failed(name)
        throw unauthorized('The address or the password is wrong.')
      }
      await checkCode(store.db.pool, user.userId, request.body.code)
      for (const name of names) gate.succeeded(name)
      await openSession(options, user, request, reply)
      return { accountId: user.accountId }
    },
  })

  app.put('/session/password', {
    schema: { body: passwordUpdate, response: { 204: z.null() } },
    config: { access: 'read', secretPaths: ['password', 'currentPassword'] },
    handler: async (request, reply) => {
      const { userId } = personOf(request)
      await checkCurrentPassword(store, gate, { userId, sent: request.body.currentPassword })
      const passwordHash = await hash(request.body.password)
      const keep = request.cookies[sessionCookie]
      await write(contextOf(request), { action: 'update', resource: 'users' }, async ({ client, at }) => {
        await store.setPassword(client, { userId, passwordHash, keep, at })
        return { id: userId, answer: undefined, after: { password: '******' }, announce: () => authenticate.forget() }
      })
      return reply.code(204).send(null)
    },
  })
}

/** Access to an open browser must not be enough to change how the person signs in. */
export async function checkCurrentPassword(
  store: SignInStore,
  gate: Gate,
  { userId, sent }: { userId: string; sent: string | undefined },
): Promise<void> {
  const passwordHash = await store.passwordOf(userId)
  if (passwordHash === null) return
  const name = `password ${userId}`
  refuseWhenBlocked(gate, [name])
  if (sent !== undefined && (await verify(passwordHash, sent))) return gate.succeeded(name)
  gate.failed(name)
  throw invalidField('currentPassword', 'is not your password')
}
