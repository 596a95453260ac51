import type { FastifyReply, FastifyRequest } from 'fastify'
import { preconditionFailed } from './api-error.ts'

export const setEtag = (reply: FastifyReply, version: number): FastifyReply => reply.header('etag', `"${version}"`)

/** Honours `If-Match`: a writer that read an older version is refused instead of overwriting. */
export function checkIfMatch(request: FastifyRequest, version: number): void {
  const wanted = request.headers['if-match']
  if (wanted === undefined || wanted.trim() === '*') return
  const tags = wanted.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (tags.includes(`"${version}"`)) return
  throw preconditionFailed(
    `It was changed meanwhile: its version is "${version}", If-Match says ${wanted.slice(0, 100)}.`,
  )
}
