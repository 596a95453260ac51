import { STATUS_CODES } from 'node:http'
import { fieldProblems, type ErrorBody } from '@vedette/wire'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, invalid, type RequestPart } from '../api-error.ts'
import { RequestInvalid } from './schemas/validation.ts'

const partOf: Record<string, RequestPart> = {
  body: 'payload',
  querystring: 'query',
  params: 'params',
  headers: 'query',
}

/** SQLSTATEs for values that passed validation and that PostgreSQL cannot read as text or number. */
const unreadableByDatabase = new Set(['22021', '22P02', '22P05', '22003', '22007', '22008'])

/** Turns every error into an answer. Messages of status 500 and above are not sent. */
export function handleError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = asApiError(error, request)
  if (!known) request.log.error({ err: error }, 'request failed')
  const answer = known ?? new ApiError(500, `Something went wrong on our side; the log names it under ${request.id}.`)
  return reply.code(answer.statusCode).headers(answer.headers).type('application/json').send(bodyOf(answer, request.id))
}

export function bodyOf({ statusCode, message, validation }: ApiError, requestId: string): ErrorBody {
  const error = STATUS_CODES[statusCode] ?? 'Error'
  return { statusCode, error, message, ...(validation && { validation }), requestId }
}

function asApiError(error: FastifyError, request: FastifyRequest): ApiError | undefined {
  if (error instanceof ApiError) return error
  if (error instanceof RequestInvalid) return validationError(error, request)
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge(request)
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new ApiError(415, 'The body must be JSON: send Content-Type: application/json.')
  }
  if (unreadableByDatabase.has(error.code)) return new ApiError(400, 'A value of the request cannot be stored.')
  const status = error.statusCode ?? 500
  return status >= 400 && status < 500 ? new ApiError(status, error.message) : undefined
}

/** An invalid path parameter is a 404, like an id that does not exist: its schema says what it would be the id of. */
function validationError(error: RequestInvalid, request: FastifyRequest): ApiError {
  const context = (error as RequestInvalid & { validationContext?: string }).validationContext ?? 'body'
  const [issue] = error.issues
  if (context === 'params')
    return issue?.message.startsWith('No such ') ? new ApiError(404, issue.message) : nothingAt(request)
  return invalid(fieldProblems(error.issues, request.routeOptions.config.secretPaths ?? []), partOf[context])
}

function tooLarge(request: FastifyRequest): ApiError {
  const limit = request.routeOptions.bodyLimit ?? 0
  return new ApiError(413, `The body is larger than the ${limit} bytes this route takes.`)
}

/** 404 of a path that no route has. */
export const nothingAt = (request: FastifyRequest): ApiError =>
  new ApiError(404, `${request.method} ${pathOf(request)} does not exist.`)

export const pathOf = (request: FastifyRequest): string => (request.url.split('?')[0] ?? '').slice(0, 200)
