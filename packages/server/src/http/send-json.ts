import type { FastifyReply } from 'fastify'

/**
 * Sends a text that is JSON already, by a writer or by the database, past the serializer. The answer's type is the
 * route's, which a text cannot have.
 */
export const sendJson = (reply: unknown, text: string): never =>
  (reply as FastifyReply).type('application/json; charset=utf-8').send(text) as never
