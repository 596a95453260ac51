import { checkMuteResponse, checkMuteWrite } from '@vedette/wire'
import { z } from 'zod'
import type { App } from '../../http/build-http.ts'
import { contextOf } from '../../http/callers/verb-context.ts'
import { uuidParam } from '../../http/schemas/query.ts'
import type { ApiDeps } from '../api-deps.ts'
import { muteCheck, unmuteCheck } from './verbs/mute-check.ts'

const tags = ['Checks']
const params = z.object({ id: uuidParam('check') })

export function muteRoutes(app: App, deps: ApiDeps): void {
  const [mute, unmute] = [muteCheck(deps), unmuteCheck(deps)]

  app.put(
    '/v1/checks/:id/mute',
    {
      config: { access: 'write' },
      schema: {
        tags,
        summary: 'Mute a check for a while or for good',
        description:
          'Its alerts are recorded and nobody is notified. A check that still fails when the mute ends is notified of at its next bad run. To change when a mute ends, send this again: a `muted` that is sent to the other routes as it was answered leaves it as it is, and does not mute again when it has ended meanwhile.',
        params,
        body: checkMuteWrite,
        response: { 200: checkMuteResponse },
      },
    },
    (request) => {
      const { until } = request.body
      return mute(contextOf(request), request.params.id, until === null ? null : new Date(until))
    },
  )

  app.delete(
    '/v1/checks/:id/mute',
    {
      config: { access: 'write' },
      schema: { tags, summary: 'End the mute of a check', params, response: { 204: z.undefined() } },
    },
    async (request, reply) => {
      await unmute(contextOf(request), request.params.id)
      return reply.code(204).send()
    },
  )
}
