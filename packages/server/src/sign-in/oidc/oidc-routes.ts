import { waysToSignIn } from '@vedette/wire'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../http/build-http.ts'
import { sessionCookie } from '../../http/callers/credentials.ts'
import { openSession, refuseWhenBlocked, type Gate, type SignInOptions } from '../open-session.ts'
import { personOfIdentity, type Refusal } from './person-of-identity.ts'
import { oidcProvider, type Attempt, type OidcSettings } from './provider.ts'

const cookieName = 'vedette_oidc'
const path = '/session/oidc'
const attemptMs = 10 * 60_000

/** What the browser carries to the provider and back, sealed. */
const keptAttempt = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** Whoever was signed in and wants to connect the identity to themselves. */
  connects: z.string().nullable(),
  at: z.number(),
})
type KeptAttempt = z.infer<typeof keptAttempt>

/** Sign-in with an identity provider (OpenID Connect, authorization code with PKCE). */
export function oidcRoutes(app: App, options: SignInOptions & { oidc?: OidcSettings | undefined }, gate: Gate): void {
  const { oidc } = options
  app.get('/session/ways', {
    schema: { response: { 200: waysToSignIn } },
    config: { access: 'public' },
    handler: () => ({ oidc: oidc !== undefined }),
  })
  if (oidc === undefined) return
  const provider = oidcProvider(oidc)
  const redirectUri = () => `${options.baseUrl()}${path}/callback`
  const cookie = attemptCookie(options)

  app.get(path, {
    schema: { querystring: z.object({ connect: z.literal('1').optional() }) },
    config: { access: 'public' },
    handler: async (request, reply) => {
      const left = await provider.leave(redirectUri()).catch((error: unknown) => failed(request, error))
      if (!left) return refuse(reply, 'provider')
      const session = request.query.connect === '1' ? await signedIn(request, options) : undefined
      cookie.keep(reply, { ...left.attempt, connects: session?.userId ?? null, at: options.clock.now() })
      return reply.redirect(left.url.href, 303)
    },
  })

  const find = personOfIdentity(options, oidc)
  app.get(`${path}/callback`, {
    config: { access: 'public', anyQuery: 'Providers add parameters of their own.' },
    handler: async (request, reply) => {
      const name = `provider ${request.ip}`
      refuseWhenBlocked(gate, [name])
      const attempt = cookie.take(request, reply)
      if (!attempt) return refuse(reply, 'late')
      const address = new URL(request.url, options.baseUrl())
      const identity = await provider.comeBack(address, attempt satisfies Attempt).catch((error: unknown) => {
        gate.failed(name)
        return failed(request, error)
      })
      if (!identity) return refuse(reply, 'provider')
      const session = attempt.connects === null ? undefined : await signedIn(request, options)
      if (attempt.connects !== null && session?.userId !== attempt.connects) return refuse(reply, 'late')
      const person = await find(request.id, identity, session)
      if ('refusal' in person) return refuse(reply, person.refusal)
      if (session !== undefined) return reply.redirect('/settings', 303)
      await openSession(options, person, request, reply)
      return reply.redirect('/', 303)
    },
  })
}

const signedIn = (request: FastifyRequest, { authenticate }: SignInOptions) =>
  authenticate.session(request.cookies[sessionCookie] ?? '')

const refuse = (reply: FastifyReply, problem: Refusal | 'provider' | 'late') =>
  reply.redirect(`/sign-in?problem=${problem}`, 303)

function failed(request: FastifyRequest, error: unknown): undefined {
  request.log.warn({ err: error }, 'The sign-in with the identity provider failed.')
}

/** Only this server reads the cookie, once and for ten minutes. */
function attemptCookie({ vault, clock, baseUrl }: SignInOptions) {
  const place = { account: '', table: 'cookies', row: cookieName, field: 'attempt' }
  return {
    keep(reply: FastifyReply, attempt: KeptAttempt): void {
      reply.setCookie(cookieName, Buffer.from(vault.seal(JSON.stringify(attempt), place)).toString('base64url'), {
        path,
        httpOnly: true,
        sameSite: 'lax',
        secure: baseUrl().startsWith('https:'),
        maxAge: attemptMs / 1000,
      })
    },
    take(request: FastifyRequest, reply: FastifyReply): KeptAttempt | undefined {
      reply.clearCookie(cookieName, { path })
      const sealed = request.cookies[cookieName]
      if (sealed === undefined) return undefined
      const attempt = opened(sealed)
      return attempt && attempt.at > clock.now() - attemptMs ? attempt : undefined
    },
  }

  /** Undefined for what this server did not seal. */
  function opened(sealed: string): KeptAttempt | undefined {
    try {
      return keptAttempt.parse(JSON.parse(vault.open(Buffer.from(sealed, 'base64url').toString(), place)))
    } catch {
      // Somebody else's cookie is none.
      return undefined
    }
  }
}
