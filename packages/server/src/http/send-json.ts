import type { FastifyReply } from 'fastify'

/** Sends text that is JSON already, bypassing the serializer. Typed `never`: text cannot have the answer's type. */
export const sendJson = (reply: unknown, text: string): never =>
  (reply as FastifyReply).type('application/json; charset=utf-8').send(text) as never
