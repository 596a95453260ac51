import type { FastifyInstance } from 'fastify'
import { ApiError, invalidField } from '../api-error.ts'
import { nothingAt } from './error-handler.ts'
import { unsafeName, unstorableText } from './schemas/validation.ts'

const maybeUnstorable = /\\u(0000|d[89a-f])|\0/i

/** Only JSON bodies are accepted. An empty body counts as none, so that DELETE may have a content type. */
export function readJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text === '') return done(null, undefined)
    void parse(request, String(text), (error, value) => {
      if (error) return done(refusalOf(String(text)))
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

/** Why the text is no body: it is no JSON, or has a name in it that would change what its objects inherit. */
function refusalOf(text: string): ApiError {
  try {
    const path = unsafeName(JSON.parse(text))
    if (path !== undefined) return invalidField(path, 'is not a known field')
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  return new ApiError(400, 'The body is not valid JSON.')
}
