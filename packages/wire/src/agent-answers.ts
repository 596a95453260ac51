import { z } from 'zod'
import { checkTypeNames, workerClasses } from './enums.ts'
import type { HelloResponse, Job, JobContent, RenewResponse, ResultsResponse } from './agent.ts'

/** Epoch milliseconds, within what a `Date` can hold. */
const instant = z.number().min(0).max(8.64e15)
/** A timer of Node waits at most 24 days, and what is longer fires at once. No wait of ours is longer than this. */
const longestMs = 3_600_000

/**
 * Answers of the agent protocol. Unknown fields are ignored, because a newer server may send more. Bounds keep an agent from
 * calling without pause, or never, whatever answers it.
 */
export const helloResponse: z.ZodType<HelloResponse> = z.object({
  protocol: z.int(),
  serverTime: instant,
  locations: z.array(z.string()),
  leaseMs: z.number().positive().max(longestMs),
  renewEveryMs: z.number().min(10).max(longestMs),
  longPollMs: z.number().min(0).max(longestMs),
})

const jobContent = z.object({
  checkName: z.string(),
  location: z.string(),
  emulated: z.boolean(),
  definition: z.record(z.string(), z.unknown()),
  variables: z.array(z.object({ key: z.string(), value: z.string(), secret: z.boolean() })),
  clientCertificates: z
    .array(z.object({ host: z.string(), cert: z.string(), key: z.string(), ca: z.string().nullable() }))
    .optional(),
  egress: z.object({
    privateTargets: z.boolean(),
    deniedTargets: z.array(z.object({ address: z.string(), port: z.int() })),
  }),
  proxy: z.string().optional(),
  timeoutMs: z.number().positive().max(longestMs),
})

/** The sealed content of a planned check. */
export const jobContentSchema: z.ZodType<JobContent> = jobContent

/** One job of a lease answer. Jobs are read one by one, so that one unreadable job does not lose its batch. */
export const jobSchema: z.ZodType<Job> = jobContent.extend({
  attemptId: z.uuid(),
  lease: z.string(),
  leaseExpiresAt: instant,
  leasedAt: instant,
  checkId: z.string(),
  type: z.enum(checkTypeNames),
  workerClass: z.enum(workerClasses),
  dueAt: instant,
  attempt: z.int().min(0),
})

export const leaseResponse = z.object({ serverTime: instant, jobs: z.array(z.unknown()) })

export const renewResponse: z.ZodType<RenewResponse> = z.object({
  serverTime: instant,
  cancelled: z.array(z.string()),
})

export const resultsResponse: z.ZodType<ResultsResponse> = z.object({
  serverTime: instant,
  accepted: z.array(z.string()),
  rejected: z.array(z.object({ attemptId: z.string().nullable(), reason: z.string() })),
})
