import { z } from 'zod'
import type { App } from '../http/build-http.ts'
import { openSession, refuseWhenBlocked, type Gate, type SignInOptions } from './open-session.ts'

/** The link that the server prints when it starts. Who can read its output operates it: no second factor is asked for. */
export function linkRoute(app: App, options: SignInOptions, gate: Gate): void {
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
