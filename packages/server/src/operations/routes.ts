import type { Clock } from '@vedette/wire'
import type { Database } from '../db/database.ts'
import type { HealthLook } from '../health/health-watch.ts'
import { roleOf } from '../health/signal/known-health.ts'
import { within } from '../health/within.ts'
import type { App } from '../http/build-http.ts'
import type { ServerMetrics } from './metrics.ts'
import { askDatabase } from './store.ts'

interface Options {
  db: Database
  clock: Clock
  metrics: ServerMetrics
  /** False before everything is started and while it stops. */
  isReady: () => boolean
  health: () => HealthLook | undefined
}

const answerMs = 2_000

/** Routes for orchestrators. Liveness: the process answers; readiness: everything can be watched and told. */
export function operationRoutes(app: App, { db, clock, metrics, isReady, health }: Options): void {
  const config = { access: 'public', rateLimit: false } as const
  const anyQuery = 'What a prober adds to the address must not make a healthy server look ill.'
  const probed = { ...config, anyQuery }

  app.get('/-/liveness', { config: probed }, async () => ({ status: 'alive' }))

  app.get('/-/readiness', { config: probed }, async (_request, reply) => {
    if (!isReady()) return reply.code(503).send({ status: 'starting or stopping' })
    const answer = readinessOf(health(), await doesAnswer(db, clock))
    return reply.code(answer.status === 'ready' ? 200 : 503).send(answer)
  })

  app.get('/metrics', { config }, async (_request, reply) =>
    reply.header('content-type', metrics.registry.contentType).send(await metrics.registry.metrics()),
  )
}

async function doesAnswer(db: Database, clock: Clock): Promise<boolean> {
  try {
    await within(clock, answerMs, 'The answer of the database', askDatabase(db))
    return true
  } catch {
    return false
  }
}

/** Anybody may read this: it names no account, and of the troubles of single accounts only the code. */
function readinessOf(look: HealthLook | undefined, answers: boolean) {
  const notReady = { status: 'not ready' }
  if (!answers) return { ...notReady, reasons: [{ code: 'DATABASE_AWAY', text: 'The database does not answer' }] }
  if (look === undefined) return { ...notReady, reasons: [{ code: 'NOT_KNOWN', text: 'The signal is not up to date' }] }
  const reasons = told(look, 'critical')
  const status = look.ready ? 'ready' : 'not ready'
  return { status, role: roleOf(look.facts), reasons, warnings: told(look, 'warning') }
}

const told = ({ troubles }: HealthLook, wanted: 'critical' | 'warning') =>
  troubles
    .filter(({ severity }) => severity === wanted)
    .map(({ code, title, since, accountId }) => ({
      code,
      ...(accountId === null && { text: title }),
      since: new Date(since).toISOString(),
    }))
