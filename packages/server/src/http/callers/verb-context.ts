import type { FastifyReply, FastifyRequest } from 'fastify'
import type { VerbContext } from '../../access/write.ts'
import './principal.ts'

/** The caller of a request, as verbs take it. */
export const contextOf = ({ principal, id, headers }: FastifyRequest): VerbContext => ({
  accountId: principal.accountId,
  actor: principal.actor,
  requestId: id,
  ifMatch: headers['if-match'],
})

/** States the version of an answer, for `If-Match` of a later write. */
export const setEtag = (reply: FastifyReply, version: number): FastifyReply => reply.header('etag', `"${version}"`)

/** The answer without its version, which goes into the ETag. */
export function withoutVersion<Answer extends { version: number }>(versioned: Answer): Omit<Answer, 'version'> {
  const { version: _, ...answer } = versioned
  return answer
}
