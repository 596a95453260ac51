import { healthFigures, isoTime, severities, troubleCodes } from '@vedette/wire'
import { z } from 'zod'
import type { Trouble } from '../../trouble.ts'
import type { HealthFacts } from '../facts/facts.ts'
import type { HealthLook } from '../health-watch.ts'

const trouble = z.object({
  key: z.string(),
  code: z.enum(troubleCodes),
  severity: z.enum(severities),
  subject: z.string(),
  accountId: z.string().nullable(),
  location: z.string().nullable(),
  title: z.string(),
  over: z.string(),
  text: z.string(),
  reason: z.string().nullish(),
  advice: z.string(),
  since: z.number(),
}) satisfies z.ZodType<Trouble>

/** What a server found at a look, as it is passed to other servers: one of another version may have written it. */
export const healthReport = z.object({
  /** Epoch milliseconds. */
  lookedAt: z.number(),
  troubles: z.array(trouble),
  figures: healthFigures,
  /** Locations in use; `isLeftOut`: no agent asks for their runs. */
  locations: z.array(
    z.object({ name: z.string(), accountId: z.string().nullable(), agents: z.int(), isLeftOut: z.boolean() }),
  ),
})
export type HealthReport = z.infer<typeof healthReport>

export const reportOf = ({ facts, troubles }: HealthLook): HealthReport => ({
  lookedAt: facts.now,
  troubles: [...troubles],
  figures: figuresOf(facts),
  locations: facts.locations.map(({ id, name, accountId, agents }) => ({
    name,
    accountId,
    agents,
    isLeftOut: facts.openGaps.includes(id),
  })),
})

const figuresOf = (facts: HealthFacts): HealthReport['figures'] => ({
  lastTickSeconds: seconds(facts.schedule.tickAgeMs),
  nextTickSeconds: seconds(facts.schedule.firstDueInMs),
  lastLeaseSeconds: seconds(facts.leaseAgeMs),
  lastCommitSeconds: seconds(facts.ingest.commitAgeMs),
  lastDeliveryRoundSeconds: seconds(facts.deliveryRoundMs),
  ingestFailingSeconds: seconds(facts.ingest.failingMs),
  waitingRuns: facts.queue.waiting,
  diskFreeBytes: facts.disk?.free ?? null,
  diskSizeBytes: facts.disk?.size ?? null,
  clockLeaptMs: facts.clockLeap?.byMs ?? null,
  lastCanaryAt: facts.canary?.acceptedAt ? isoTime(facts.canary.acceptedAt) : null,
})

const seconds = (ms: number | null): number | null => (ms === null ? null : Math.round(ms / 100) / 10)
