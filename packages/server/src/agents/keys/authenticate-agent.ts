import type { FastifyRequest } from 'fastify'
import { unauthorized } from '../../api-error.ts'
import { bearerToken } from '../../http/callers/credentials.ts'
import type { AgentKeys } from './agent-keys.ts'
import type { AgentKey } from '../store.ts'

const known = new WeakMap<FastifyRequest, AgentKey>()

/** Signs an agent in by its location key. */
export async function authenticateAgent(request: FastifyRequest, keys: AgentKeys): Promise<void> {
  const raw = bearerToken(request)
  if (raw === undefined) throw unauthorized('Send the location key as "Authorization: Bearer <key>".')
  const key = await keys.find(raw)
  if (key === undefined) throw unauthorized('The location key is not known or was revoked.')
  await keys.heard(key)
  known.set(request, key)
}

/** The key of a request that `authenticateAgent` has accepted. */
export function agentKeyOf(request: FastifyRequest): AgentKey {
  const key = known.get(request)
  if (key === undefined) throw new Error('This route is not one of the agent protocol.')
  return key
}
