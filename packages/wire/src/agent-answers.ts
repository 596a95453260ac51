import { z } from 'zod'
import { checkTypeNames, workerClasses } from './enums.ts'
import type { HelloResponse, Job, JobContent, RenewResponse, ResultsResponse } from './agent.ts'

/** Answers of the agent protocol. Unknown fields are ignored, because a newer server may send more. */
export const helloResponse: z.ZodType<HelloResponse> = z.object({
  protocol: z.int(),
  serverTime: z.number(),
  locations: z.array(z.string()),
  leaseMs: z.number().positive(),
  renewEveryMs: z.number().positive(),
  longPollMs: z.number().min(0),
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
  timeoutMs: z.number().positive(),
})

/** The sealed content of a planned check. */
export const jobContentSchema: z.ZodType<JobContent> = jobContent

/** One job of a lease answer. Jobs are read one by one, so that one unreadable job does not lose its batch. */
export const jobSchema: z.ZodType<Job> = jobContent.extend({
  attemptId: z.uuid(),
  lease: z.string(),
  leaseExpiresAt: z.number(),
  leasedAt: z.number(),
  checkId: z.string(),
  type: z.enum(checkTypeNames),
  workerClass: z.enum(workerClasses),
  dueAt: z.number(),
  attempt: z.int().min(0),
})

export const leaseResponse = z.object({ serverTime: z.number(), jobs: z.array(z.unknown()) })

export const renewResponse: z.ZodType<RenewResponse> = z.object({
  serverTime: z.number(),
  cancelled: z.array(z.string()),
})

export const resultsResponse: z.ZodType<ResultsResponse> = z.object({
  serverTime: z.number(),
  accepted: z.array(z.string()),
  rejected: z.array(z.object({ attemptId: z.string().nullable(), reason: z.string() })),
})
