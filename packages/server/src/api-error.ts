/** The part of a request that is invalid, as named in the error body. */
export type RequestPart = 'payload' | 'query' | 'params'

export interface FieldError {
  /** Dotted path, empty for the whole. */
  path: string
  /** What is wrong, without the field: "must be at most 100, got 250". */
  message: string
}

/** The only error that routes and stores throw on purpose. Its message reaches the caller. */
export class ApiError extends Error {
  readonly statusCode: number
  readonly validation: { source: RequestPart; keys: string[] } | undefined
  readonly headers: Record<string, string>
  /** Everything that is wrong, for callers that collect it. */
  readonly problems: readonly FieldError[]

  constructor(
    statusCode: number,
    message: string,
    more: {
      validation?: { source: RequestPart; keys: string[] }
      headers?: Record<string, string>
      problems?: readonly FieldError[]
    } = {},
  ) {
    super(message)
    this.statusCode = statusCode
    this.validation = more.validation
    this.problems = more.problems ?? []
    this.headers = more.headers ?? {}
  }
}

const longestMessage = 500

/** 400. The message is the first problem; `validation.keys` names all fields. */
export function invalid(problems: readonly FieldError[], source: RequestPart = 'payload'): ApiError {
  const first = problems[0] ?? { path: '', message: 'is not acceptable' }
  const keys = [...new Set(problems.map((problem) => problem.path).filter((path) => path !== ''))]
  const message = `${first.path === '' ? source : `"${first.path}"`} ${first.message}`
  return new ApiError(400, message.slice(0, longestMessage), { validation: { source, keys }, problems })
}

/** 400 for one field. */
export const invalidField = (path: string, message: string, source: RequestPart = 'payload'): ApiError =>
  invalid([{ path, message }], source)

export const unauthorized = (message: string): ApiError =>
  new ApiError(401, message, { headers: { 'www-authenticate': 'Bearer' } })
export const forbidden = (message: string): ApiError => new ApiError(403, message)
/** 404: names the kind of thing. Also for resources of other accounts, so that their existence is not revealed. */
export const notFound = (what: string): ApiError => new ApiError(404, noSuch(what))
export const noSuch = (what: string): string => `No such ${what}.`
/** 408: a long poll timed out; the caller may ask again. */
export const timedOut = (message: string): ApiError => new ApiError(408, message)
export const conflict = (message: string): ApiError => new ApiError(409, message)
export const preconditionFailed = (message: string): ApiError => new ApiError(412, message)
export const unavailable = (message: string, retryAfterSeconds: number): ApiError =>
  new ApiError(503, message, { headers: { 'retry-after': String(retryAfterSeconds) } })
export const tooManyRequests = (message: string, retryAfterSeconds: number): ApiError =>
  new ApiError(429, message, { headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) } })
