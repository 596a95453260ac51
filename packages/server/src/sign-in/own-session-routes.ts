import { accountSwitch, profileResponse, signedInResponse } from '@vedette/wire'
import { z } from 'zod'
import { notFound, unauthorized } from '../api-error.ts'
import { sessionCookie } from '../http/callers/credentials.ts'
import type { App } from '../http/build-http.ts'
import { personOf, type SignInOptions } from './open-session.ts'

/** Who is signed in, the account in use, and the end of the session. Members of a suspended account may do this too. */
export function ownSessionRoutes(app: App, { store, clock, authenticate }: SignInOptions): void {
  app.get('/session', {
    schema: { response: { 200: profileResponse } },
    config: { access: 'read', whenSuspended: true },
    handler: async (request) => {
      const { accountId, userId } = request.principal
      const found = userId === undefined ? undefined : await store.profile(userId, accountId)
      if (!found) throw unauthorized('Sign in to the web app first.')
      return { ...found, accountId }
    },
  })

  app.put('/session/account', {
    schema: { body: accountSwitch, response: { 200: signedInResponse } },
    config: { access: 'read', whenSuspended: true },
    handler: async (request) => {
      const { userId } = personOf(request)
      const { accountId } = request.body
      const token = request.cookies[sessionCookie] ?? ''
      if (!(await store.switchAccount(token, { userId, accountId }))) throw notFound('account')
      authenticate.forget()
      return { accountId }
    },
  })

  app.delete('/session', {
    schema: { response: { 204: z.null() } },
    config: { access: 'read', whenSuspended: true },
    handler: async (request, reply) => {
      const token = request.cookies[sessionCookie]
      if (token !== undefined) await store.revokeSession(token, clock.now())
      authenticate.forget()
      return reply.clearCookie(sessionCookie, { path: '/' }).code(204).send(null)
    },
  })
}
