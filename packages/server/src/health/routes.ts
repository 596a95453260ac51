import { healthResponse, isoTime, type Health } from '@vedette/wire'
import { unavailable } from '../api-error.ts'
import type { Trouble } from '../trouble.ts'
import type { App } from '../http/build-http.ts'
import type { HealthFacts } from './facts/facts.ts'
import type { HealthLook } from './health-watch.ts'

/** The installation's own health, for people who are signed in. */
export function healthRoutes(app: App, { health }: { health: () => HealthLook | undefined }): void {
  app.get(
    '/v1/health',
    {
      config: { access: 'read' },
      schema: {
        tags: ['Health'],
        summary: 'Read the health of Vedette itself',
        description: 'Whether everything can be watched and told, what is wrong, and since when.',
        response: { 200: healthResponse },
      },
    },
    async ({ principal }) => {
      const look = health()
      if (look === undefined) throw unavailable('The health of Vedette is not known at this moment.', 5)
      return toAnswer(look, principal.accountId)
    },
  )
}

function toAnswer({ facts, troubles, ready }: HealthLook, account: string): Health {
  const isOwn = ({ accountId }: { accountId: string | null }) => accountId === null || accountId === account
  return {
    ready,
    role: roleOf(facts),
    lookedAt: isoTime(facts.now),
    troubles: troubles.filter(isOwn).map(toTrouble),
    facts: {
      ...agesOf(facts),
      waitingRuns: facts.queue.waiting,
      diskFreeBytes: facts.disk?.free ?? null,
      diskSizeBytes: facts.disk?.size ?? null,
      clockLeaptMs: facts.clockLeap?.byMs ?? null,
      agentsOnline: facts.locations.filter(isOwn).map(({ name, agents }) => ({ location: name, agents })),
      openGaps: facts.locations.filter((one) => isOwn(one) && facts.openGaps.includes(one.id)).map(({ name }) => name),
      lastCanaryAt: facts.canary?.acceptedAt ? isoTime(facts.canary.acceptedAt) : null,
    },
  }
}

const toTrouble = ({ code, severity, subject, title, text, advice, since }: Trouble): Health['troubles'][number] => ({
  code,
  severity,
  subject,
  title,
  text,
  advice,
  since: isoTime(since),
})

const agesOf = ({ schedule, leaseAgeMs, ingest, deliveryRoundMs }: HealthFacts) => ({
  lastTickSeconds: seconds(schedule.tickAgeMs),
  nextTickSeconds: seconds(schedule.firstDueInMs),
  lastLeaseSeconds: seconds(leaseAgeMs),
  lastCommitSeconds: seconds(ingest.commitAgeMs),
  lastDeliveryRoundSeconds: seconds(deliveryRoundMs),
  ingestFailingSeconds: seconds(ingest.failingMs),
})

/** Whether this server schedules, or another one does. */
export const roleOf = ({ leading, otherLeads }: Pick<HealthFacts, 'leading' | 'otherLeads'>): Health['role'] =>
  leading ? 'leading' : otherLeads ? 'standby' : 'none'

const seconds = (ms: number | null): number | null => (ms === null ? null : Math.round(ms / 100) / 10)
