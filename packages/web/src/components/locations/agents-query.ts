import type { Agent } from '@vedette/wire'
import { call } from '../../api/client.ts'

export const agentsQuery = {
  queryKey: ['agents'],
  queryFn: () => call<Agent[]>('GET', '/v1/agents'),
  refetchInterval: 15_000,
} as const
