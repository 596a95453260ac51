import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import type { Clock } from '@vedette/wire'
import {
  fastify,
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RawServerDefault,
} from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { ServerResponse } from 'node:http'
import type { Database } from '../db/database.ts'
import { guardRoutes } from './callers/access.ts'
import { authenticator, type Authenticator } from '../access/authenticator.ts'
import { readJsonOnly } from './body-parser.ts'
import { bodyOf, handleError, nothingAt } from './error-handler.ts'
import { describeApi } from './schemas/openapi.ts'
import { refuseUnknown } from './refuse-unknown.ts'
import { defaultRateLimit, limitRates, type RateLimit } from './rate-limit.ts'
import { sendSecurityHeaders } from './security-headers.ts'
import { serializerCompiler } from './schemas/serializer.ts'
import { validatorCompiler } from './schemas/validation.ts'

/** A Fastify instance whose routes are typed by their zod schemas. */
export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypeProvider>

export interface HttpOptions {
  db: Database
  clock: Clock
  baseUrl: () => string
  logger?: FastifyBaseLogger
  trustedProxies?: readonly string[]
  /** Other names of the account header, besides `x-service-account`, in small letters. */
  accountHeaders?: readonly string[]
  /** Path prefixes of files that anybody may read, as often as a browser asks for them. */
  publicPrefixes?: readonly string[]
  rateLimit?: RateLimit
  authenticate?: Authenticator
  /** Answers requests that no route matches, mainly pages of the web app. Undefined: a 404. */
  fallback?(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined
}

const bodyLimit = 1024 * 1024
/** Limit for receiving a request, not for answering it: long polls may take longer. */
const requestTimeoutMs = 60_000

/** The HTTP server without its routes: sign-in, validation, errors, limits, document. */
export async function buildHttp(options: HttpOptions): Promise<App> {
  const app: App = fastify({
    ...(options.logger ? { loggerInstance: options.logger } : { logger: false }),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    bodyLimit,
    trustProxy: options.trustedProxies?.length ? [...options.trustedProxies] : false,
    requestTimeout: requestTimeoutMs,
    routerOptions: { maxParamLength: 500 },
    requestIdHeader: false,
    genReqId: (request) => requestId(request),
    return503OnClosing: true,
    frameworkErrors: (error, request, reply) => void handleError(error, request, reply as FastifyReply),
  }).withTypeProvider<ZodTypeProvider>()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(handleError)
  app.setNotFoundHandler((request, reply) => answerNotFound(request, reply, options))
  app.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id))
  readJsonOnly(app)
  await addPlugins(app, options)
  return app
}

async function addPlugins(app: FastifyInstance, options: HttpOptions): Promise<void> {
  await app.register(cookie)
  const publicPrefixes = options.publicPrefixes ?? []
  refuseUnknown(app, (url) => publicPrefixes.some((prefix) => url === prefix || url.startsWith(`${prefix}/`)))
  guardRoutes(app, {
    db: options.db,
    now: () => options.clock.monotonic(),
    baseUrl: () => options.baseUrl(),
    authenticate: options.authenticate ?? authenticator(options.db, options.clock),
    accountHeaders: ['x-service-account', ...(options.accountHeaders ?? [])],
    publicPrefixes,
  })
  await sendSecurityHeaders(app)
  await app.register(compress, { threshold: 2048, encodings: ['gzip'], globalDecompression: false })
  await limitRates(app, options.rateLimit ?? defaultRateLimit, options)
  await describeApi(app)
}

function requestId(request: IncomingMessage): string {
  const sent = request.headers['x-request-id']
  return typeof sent === 'string' && /^[\w.-]{8,64}$/.test(sent) ? sent : randomUUID()
}

function answerNotFound(request: FastifyRequest, reply: FastifyReply, options: HttpOptions): FastifyReply {
  const answered = options.fallback?.(request, reply)
  if (answered) return answered
  return reply.code(404).send(bodyOf(nothingAt(request), request.id))
}
