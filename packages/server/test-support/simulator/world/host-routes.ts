import type { Database } from '../../../src/db/database.ts'
import type { Chronicle, Refusal } from '../chronicle.ts'
import { openAgentRoutes, type AgentRoutes } from './agent-routes.ts'

const routes = new Map<string, { db: Database; open: Promise<AgentRoutes> }>()

/** Routes are expensive to make: those of a host are used by all worlds on a database. */
export function routesOf(name: string, db: Database): Promise<AgentRoutes> {
  const known = routes.get(name)
  if (known?.db === db) return known.open
  const open = openAgentRoutes(db)
  routes.set(name, { db, open })
  return open
}

/** Notes which results were acknowledged, and which refused. */
export function recorded({ serve, post }: AgentRoutes, { acknowledged, rejected }: Chronicle): AgentRoutes {
  return {
    serve,
    async post(request, gone) {
      const answer = await post(request, gone)
      if (!request.path.endsWith('/results') || answer.status !== 200) return answer
      const said = JSON.parse(answer.text) as { accepted: string[]; rejected: Refusal[] }
      for (const id of said.accepted) acknowledged.add(id)
      rejected.push(...said.rejected)
      return answer
    },
  }
}
