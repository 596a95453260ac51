import { triggeredRun } from '@vedette/wire'
import { z } from 'zod'
import type { App } from '../../http/build-http.ts'
import type { ApiDeps } from '../api-deps.ts'
import { triggerCaller } from './call-trigger.ts'
import { triggerPath, type TriggerKind } from './trigger-kind.ts'

/** Limit for one address: a token must not be guessed, and many triggers may share an address. */
const mostPerMinute = 300

const text = (description: string) => z.string().max(2000).optional().describe(description)
const ignored = (what: string) => text(`${what} Taken for the sake of clients; it changes nothing.`)

const query = z.strictObject({
  runLocation: text('Run there instead, a region or a private location of the account.'),
  deployment: ignored('Whether a deployment called.'),
  deploymentId: ignored('Id of the deployment.'),
  repository: ignored('Repository of the deployment.'),
  sha: ignored('Commit of the deployment.'),
  environmentUrl: ignored('Address of the environment.'),
  environmentName: ignored('Name of the environment.'),
})

/** Routes that run checks for whoever has their token. Register it as a plugin of its own: it takes any body, and reads none. */
export async function callRoutes(app: App, deps: ApiDeps, kind: TriggerKind): Promise<void> {
  const call = triggerCaller(kind, deps)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, _text, done) => done(null, undefined))
  // Each is an operation of its own in the API document.
  for (const method of ['GET', 'POST'] as const) callRoute(app, call, { kind, method })
}

function callRoute(
  app: App,
  call: ReturnType<typeof triggerCaller>,
  { kind, method }: { kind: TriggerKind; method: 'GET' | 'POST' },
): void {
  app.route({
    method,
    url: triggerPath(kind, `:${kind.field}`, ':token'),
    // A HEAD request only asks whether the path exists: it runs nothing.
    exposeHeadRoute: false,
    config: { access: 'public', rateLimit: { max: mostPerMinute, timeWindow: 60_000 } },
    schema: {
      tags: ['Triggers'],
      summary: `Run a ${kind.noun} by its trigger and wait for the outcome`,
      description:
        'Needs no key: the token is the authorisation. 200 when it is over, whether it failed or not; 202 when it is ' +
        'not over after two minutes. At most 10 calls a minute.',
      params: z.object({ [kind.field]: kind.idSchema, token: z.string().max(200) }),
      querystring: query,
      response: { 200: triggeredRun, 202: triggeredRun },
    },
    handler: async ({ params: sent, query: { runLocation }, id: requestId }, reply) => {
      void reply.header('cache-control', 'no-store')
      const gone = new AbortController()
      reply.raw.once('close', () => gone.abort())
      const [target, token] = [sent[kind.field] ?? '', String(sent['token'])]
      const run = await call({ target, token, runLocation, requestId, signal: gone.signal })
      return reply.code(run.hasFailures === null ? 202 : 200).send(run)
    },
  })
}
