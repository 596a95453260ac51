import { hash } from '@node-rs/argon2'
import { inviteAccept, inviteLook, inviteSeen, memberRoleOf, signedInResponse } from '@vedette/wire'
import type { FastifyRequest } from 'fastify'
import { ApiError, invalidField, notFound } from '../api-error.ts'
import type { App } from '../http/build-http.ts'
import { sessionCookie } from '../http/callers/credentials.ts'
import { checkSameOrigin } from '../http/callers/same-origin.ts'
import { joinAccount } from './join-account.ts'
import { inviteStore, type PendingInvite } from './invite-store.ts'
import { openSession, refuseWhenBlocked, type Gate, type SignInOptions } from './open-session.ts'

/** Joining an account by the link of an invitation. */
export function joinRoutes(app: App, options: SignInOptions, gate: Gate): void {
  const invites = inviteStore(options.store.db)
  const join = joinAccount(options)

  const pending = async (request: FastifyRequest, token: string): Promise<PendingInvite> => {
    checkSameOrigin(request, options.baseUrl())
    const name = `invite ${request.ip}`
    refuseWhenBlocked(gate, [name])
    const invite = await invites.read(token, new Date(options.clock.now()))
    if (invite) return invite
    gate.failed(name)
    throw notFound('invitation: it was used, taken back, or is older than seven days')
  }

  app.post('/session/invite', {
    schema: { body: inviteLook, response: { 200: inviteSeen } },
    config: { access: 'public', secretPaths: ['token'] },
    handler: async (request) => {
      const { email, accountName, inviter, role, userId } = await pending(request, request.body.token)
      return { email, accountName, inviter, role: memberRoleOf(role), isKnown: userId !== null }
    },
  })

  app.post('/session/join', {
    schema: { body: inviteAccept, response: { 200: signedInResponse } },
    config: { access: 'public', secretPaths: ['token', 'password'] },
    handler: async (request, reply) => {
      const { token, name, password } = request.body
      const invite = await pending(request, token)
      const person = invite.userId === null ? await newPerson(name, password) : await signedIn(request, options, invite)
      const joined = await join(request.id, invite, person)
      if (joined === undefined) throw notFound('invitation: it was used, taken back, or is older than seven days')
      await openSession(options, joined, request, reply)
      return { accountId: joined.accountId }
    },
  })
}

async function newPerson(name: string | undefined, password: string | undefined) {
  if (name === undefined) throw invalidField('name', 'is missing: say what the others should call you')
  if (password === undefined) throw invalidField('password', 'is missing: choose one of at least 10 characters')
  return { name, passwordHash: await hash(password) }
}

/** Whoever made the link knows it too. So it makes a member of nobody but the person who proves to be the invited one. */
async function signedIn(request: FastifyRequest, { authenticate }: SignInOptions, invite: PendingInvite) {
  const session = await authenticate.session(request.cookies[sessionCookie] ?? '')
  if (session?.userId === invite.userId) return { userId: session.userId }
  throw new ApiError(401, `Sign in as ${invite.email} to join.`)
}
