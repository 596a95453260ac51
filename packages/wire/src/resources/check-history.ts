import { z } from 'zod'
import { dateTime } from './answer-fields.ts'

const milliseconds = z.number().nullable()

/** The runs of one location within one width of time. Those without runs are left out. */
export const historyBucket = z
  .object({
    at: dateTime.describe('When it begins; a multiple of `bucketMs`.'),
    location: z.string().nullable().describe('null for passive checks.'),
    runs: z.int(),
    failed: z.int(),
    degraded: z.int(),
    unknown: z.int(),
    p50: milliseconds.describe('Median response time of the runs that have one, in milliseconds.'),
    p95: milliseconds,
    max: milliseconds,
  })
  .meta({ id: 'HistoryBucket' })
export type HistoryBucket = z.infer<typeof historyBucket>

export const historySpanKinds = ['failing', 'degraded', 'not-watched'] as const

/**
 * A time of one kind. Failing and degraded: from the first run with that outcome until the run at the same location that
 * passed or had the other outcome; without such a run until the last run with the outcome. Runs whose outcome is not known
 * neither end nor prolong it. Spans of a kind that are less than a bucket apart are one.
 */
export const historySpan = z
  .object({
    kind: z.enum(historySpanKinds),
    from: dateTime,
    to: dateTime,
    location: z.string().nullable().describe('null: all of them, or a passive check.'),
    reason: z.string().nullable().describe('Why nothing was watched; null for the other kinds.'),
  })
  .meta({ id: 'HistorySpan' })
export type HistorySpan = z.infer<typeof historySpan>

const historySummary = z
  .object({
    runs: z.int(),
    passed: z.int().describe('Without degraded ones.'),
    degraded: z.int(),
    failed: z.int(),
    unknown: z.int(),
    retried: z.int().describe('Runs that needed more than one attempt.'),
    uptime: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .describe('Passed and degraded runs among those whose outcome is known.'),
    p50: milliseconds.describe('Of all runs of the range, not of the buckets.'),
    p95: milliseconds,
  })
  .meta({ id: 'HistorySummary' })
export type HistorySummary = z.infer<typeof historySummary>

/** What became of the runs of a check in a range of time. Retried attempts count by their final result. */
export const checkHistory = z
  .object({
    from: dateTime,
    to: dateTime,
    bucketMs: z.int().describe('Width of a bucket: the smallest with which the range has at most about 300.'),
    summary: historySummary,
    locations: z.array(z.string()).describe('Those with runs in the range.'),
    buckets: z.array(historyBucket).describe('By location, oldest first.'),
    spans: z.array(historySpan).describe('Cut to the range, oldest first.'),
    changes: z
      .array(z.object({ at: dateTime, revision: z.int() }).meta({ id: 'HistoryChange' }))
      .describe('Changes of what the check does, oldest first.'),
  })
  .meta({ id: 'CheckHistory' })
export type CheckHistory = z.infer<typeof checkHistory>
