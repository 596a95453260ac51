import { agentKeyCreate, agentKeyCreated, agentKeyResponse, type AgentKeyAnswer } from '@vedette/wire'
import { z } from 'zod'
import type { App } from '../../http/build-http.ts'
import { uuidParam } from '../../http/schemas/query.ts'
import type { Write } from '../../access/write.ts'
import { contextOf } from '../../http/callers/verb-context.ts'
import { agentKeyVerbs } from './agent-key-verbs.ts'
import type { AgentKeys } from './agent-keys.ts'
import type { AgentKey } from '../store.ts'

const tags = ['Agents']

const toResponse = ({ id, kind, location, masked, createdAt }: AgentKey): AgentKeyAnswer => ({
  id,
  kind,
  location,
  maskedKey: masked,
  created_at: new Date(createdAt).toISOString(),
})

/** Location keys with which an operator runs agents in real data centers. */
export function agentKeyRoutes(app: App, { keys, write }: { keys: AgentKeys; write: Write }): void {
  const verbs = agentKeyVerbs({ keys, write })

  app.get(
    '/v1/agent-keys',
    {
      config: { access: 'operator' },
      schema: { tags, summary: 'List the keys of agents', response: { 200: z.array(agentKeyResponse) } },
    },
    async () => (await keys.list()).filter((key) => key.kind !== 'private').map(toResponse),
  )

  app.post(
    '/v1/agent-keys',
    {
      config: { access: 'operator' },
      schema: {
        tags,
        summary: 'Create a key for agents of a location',
        body: agentKeyCreate,
        response: { 201: agentKeyCreated },
      },
    },
    async (request, reply) => {
      const { key, raw } = await verbs.mint(contextOf(request), request.body.location)
      return reply.code(201).send({ ...toResponse(key), rawKey: raw })
    },
  )

  app.delete(
    '/v1/agent-keys/:id',
    {
      config: { access: 'operator' },
      schema: {
        tags,
        summary: 'Revoke a key of agents',
        description:
          'Its agents are refused from now on. The last key gone, the built-in agent serves the location again.',
        params: z.object({ id: uuidParam('agent key') }),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await verbs.revoke(contextOf(request), request.params.id)
      return reply.code(204).send()
    },
  )
}
