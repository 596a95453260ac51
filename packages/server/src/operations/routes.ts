import type { Database } from '../db/database.ts'
import type { App } from '../http/build-http.ts'
import type { ServerMetrics } from './metrics.ts'
import { askDatabase } from './store.ts'

interface Options {
  db: Database
  metrics: ServerMetrics
  /** False before everything is started and while it stops. */
  isReady: () => boolean
}

/** Routes for orchestrators. Liveness: the process answers; readiness: it can serve. */
export function operationRoutes(app: App, { db, metrics, isReady }: Options): void {
  const config = { access: 'public', rateLimit: false } as const
  const anyQuery = 'What a prober adds to the address must not make a healthy server look ill.'
  const probed = { ...config, anyQuery }

  app.get('/-/liveness', { config: probed }, async () => ({ status: 'alive' }))

  app.get('/-/readiness', { config: probed }, async (_request, reply) => {
    if (!isReady()) return reply.code(503).send({ status: 'starting or stopping' })
    await askDatabase(db)
    return { status: 'ready' }
  })

  app.get('/metrics', { config }, async (_request, reply) =>
    reply.header('content-type', metrics.registry.contentType).send(await metrics.registry.metrics()),
  )
}
