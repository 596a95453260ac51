import { canaryResponse } from '@vedette/wire'
import { z } from 'zod'
import { unavailable } from '../../api-error.ts'
import type { App } from '../../http/build-http.ts'
import { integerParam } from '../../http/schemas/query.ts'
import type { Canary } from './canary.ts'

const tags = ['Health']
const config = { access: 'operator' } as const

/** Runs the canary and follows it. */
export function canaryRoutes(app: App, { canary }: { canary: Pick<Canary, 'run' | 'read'> }): void {
  app.post(
    '/v1/canary',
    {
      config: { ...config, errors: [503] },
      schema: {
        tags,
        summary: 'Send a test notification through the whole delivery path (a canary)',
        response: { 202: canaryResponse },
      },
    },
    async (_request, reply) => {
      const started = await canary.run()
      if (started === undefined)
        throw unavailable('The canary is off (VEDETTE_CANARY), or this server does not schedule.', 30)
      return reply.code(202).send(started)
    },
  )

  app.get(
    '/v1/canary/:checkRunId',
    {
      config,
      schema: {
        tags,
        summary: 'Read how far the test notification of a canary has come',
        params: z.object({ checkRunId: integerParam(0, 8_640_000_000_000_000) }),
        response: { 200: canaryResponse },
      },
    },
    ({ params }) => canary.read(params.checkRunId),
  )
}
