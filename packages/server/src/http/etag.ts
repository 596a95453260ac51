import type { FastifyReply } from 'fastify'

export const setEtag = (reply: FastifyReply, version: number): FastifyReply => reply.header('etag', `"${version}"`)
