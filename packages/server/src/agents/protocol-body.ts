import { createGunzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../api-error.ts'

/** Results of browser runs are long, and 200 of them must fit. Counted after decompression. */
export const resultsBodyLimit = 32 * 1024 * 1024

/** Parses bodies of agents: JSON, gzipped or not. Strings from targets may hold any character. */
export function readAgentBodies(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const encoding = request.headers['content-encoding'] ?? 'identity'
    if (encoding === 'identity') return done(null, payload)
    if (encoding !== 'gzip')
      return done(new ApiError(415, `The content encoding must be gzip or identity, got ${encoding.slice(0, 100)}.`))
    const gunzip = createGunzip()
    // Fastify compares the received length with content-length, and the decompressed length with the body limit.
    const plain = Object.assign(gunzip, { receivedEncodedLength: 0 })
    payload.on('data', (chunk: Buffer) => (plain.receivedEncodedLength += chunk.length))
    payload.on('error', (error) => gunzip.destroy(error))
    done(null, payload.pipe(plain))
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, JSON.parse(body.toString()))
    } catch {
      done(new ApiError(400, 'The body is not valid JSON.'))
    }
  })
}
