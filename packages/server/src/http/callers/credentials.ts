import type { FastifyRequest } from 'fastify'

export const sessionCookie = 'vedette_session'

/** The token of `Authorization: Bearer …`, undefined when there is none. */
export function bearerToken(request: FastifyRequest): string | undefined {
  const match = /^Bearer +(\S{1,500}) *$/i.exec(request.headers.authorization ?? '')
  return match?.[1]
}
