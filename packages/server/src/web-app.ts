import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const dist = fileURLToPath(new URL('../../web/dist', import.meta.url))
const notPages = ['/v1/', '/v2/', '/agent/', '/-/', '/assets/', '/session/', '/openapi', '/metrics']

/** What names files of one build is asked for every time. */
const unkept = { maxAge: 0, immutable: false, cacheControl: false }

const isOfApi = (url: string): boolean =>
  /^\/session(\?|$)/.test(url) || notPages.some((prefix) => url.startsWith(prefix))

/** Serves the built web app. Its files have a hash in the name and are cached by browsers; the page itself is not. */
export async function serveWebApp(app: FastifyInstance): Promise<void> {
  if (!existsSync(dist)) return
  await app.register(fastifyStatic, { root: `${dist}/assets`, prefix: '/assets/', immutable: true, maxAge: '365d' })
  const config = { access: 'public', rateLimit: false } as const
  app.get('/favicon.svg', { config }, (_request, reply) => reply.sendFile('favicon.svg', dist))
  app.get('/parts.json', { config }, (_request, reply) =>
    reply.header('cache-control', 'no-cache').sendFile('parts.json', dist, unkept),
  )
}

/** Returns the web app for every address without a route; the app shows which of them do not exist. */
export function webAppPage(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  const isPage = request.method === 'GET' && !isOfApi(request.url)
  if (!isPage || !request.headers.accept?.includes('text/html') || !existsSync(dist)) return undefined
  return reply.header('cache-control', 'no-cache').sendFile('index.html', dist, unkept)
}
