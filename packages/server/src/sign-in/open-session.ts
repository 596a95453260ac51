import type { Clock } from '@vedette/wire'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Authenticator } from '../access/authenticator.ts'
import type { Write } from '../access/write.ts'
import { forbidden, tooManyRequests } from '../api-error.ts'
import { sessionCookie } from '../http/callers/credentials.ts'
import type { Throttle } from '../http/callers/throttle.ts'
import type { Vault } from '../vault.ts'
import { sessionLifetimeMs, type SignInStore } from './store.ts'

export interface SignInOptions {
  store: SignInStore
  clock: Clock
  vault: Vault
  write: Write
  baseUrl: () => string
  authenticate: Authenticator
}

/** Counts failed attempts by name, over all ways to sign in. */
export type Gate = Throttle

export function refuseWhenBlocked(gate: Gate, names: readonly string[]): void {
  const seconds = Math.max(...names.map((name) => gate.waitSeconds(name)))
  if (seconds > 0) throw tooManyRequests('Too many failed tries; wait before the next one.', seconds)
}

/** The browser gets a new token each time: one that was there before the sign-in is worth nothing after it. */
export async function openSession(
  options: SignInOptions,
  user: { userId: string; accountId: string },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const before = request.cookies[sessionCookie]
  if (before !== undefined) {
    await options.store.revokeSession(before, options.clock.now())
    options.authenticate.forget()
  }
  const token = await options.store.openSession(user, options.clock.now(), request.headers['user-agent'])
  reply.setCookie(sessionCookie, token, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: options.baseUrl().startsWith('https:'),
    maxAge: sessionLifetimeMs / 1000,
  })
}

/** The person who is signed in. */
export function personOf({ principal }: FastifyRequest): { userId: string; accountId: string } {
  const { userId, accountId } = principal
  if (userId === undefined) throw forbidden('An API key is no person; sign in to the web app.')
  return { userId, accountId }
}
