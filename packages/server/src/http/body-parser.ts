import type { FastifyInstance } from 'fastify'
import { ApiError, invalidField } from '../api-error.ts'
import { nothingAt } from './error-handler.ts'
import { unstorableText } from './schemas/validation.ts'

const maybeUnstorable = /\\u(0000|d[89a-f])|\0/i

/** Only JSON bodies are accepted. An empty body counts as none, so that DELETE may have a content type. */
export function readJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text === '') return done(null, undefined)
    void parse(request, String(text), (error, value) => {
      if (error) return done(new ApiError(400, 'The body is not valid JSON.'))
      const path = maybeUnstorable.test(String(text)) ? unstorableText(value) : undefined
      return path === undefined
        ? done(null, value)
        : done(invalidField(path, 'holds a character that text cannot hold'))
    })
    return undefined
  })
  app.addHook('preValidation', async (request) => {
    if (unstorableText(request.params) !== undefined) throw nothingAt(request)
    const path = unstorableText(request.query)
    if (path !== undefined) throw invalidField(path, 'holds a character that text cannot hold', 'query')
  })
}
