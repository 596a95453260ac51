import { z } from 'zod'

/** Alert settings of a check or account, as they are sent. Source: contract and public API facts. */
export const alertSettingsSchema = z.strictObject({
  escalationType: z
    .enum(['RUN_BASED', 'TIME_BASED'])
    .optional()
    .describe('RUN_BASED counts failed runs, TIME_BASED minutes of failure.'),
  runBasedEscalation: z
    .strictObject({
      failedRunThreshold: z.int().min(1).max(5).optional().describe('Failed runs in a row before the first alert.'),
    })
    .optional(),
  timeBasedEscalation: z
    .strictObject({
      minutesFailingThreshold: z
        .literal([5, 10, 15, 30])
        .optional()
        .describe('Minutes of failure before the first alert.'),
    })
    .optional(),
  reminders: z
    .strictObject({
      amount: z
        .literal([0, 1, 2, 3, 4, 5, 100_000])
        .optional()
        .describe('Further alerts after the first; 100000 means without end.'),
      interval: z.literal([1, 2, 3, 4, 5, 10, 15, 30]).optional().describe('Minutes between reminders.'),
    })
    .optional(),
  parallelRunFailureThreshold: z
    .strictObject({
      enabled: z.boolean().optional(),
      percentage: z
        .literal([10, 20, 30, 40, 50, 60, 70, 80, 90, 100])
        .optional()
        .describe('Share of locations that must fail in one parallel run.'),
    })
    .optional(),
})

/** Alert settings with every field present, as they are stored and answered. */
export const completeAlertSettingsSchema = z.object({
  escalationType: z.enum(['RUN_BASED', 'TIME_BASED']),
  runBasedEscalation: z.object({ failedRunThreshold: z.int() }),
  timeBasedEscalation: z.object({ minutesFailingThreshold: z.int() }),
  reminders: z.object({ amount: z.int(), interval: z.int() }),
  parallelRunFailureThreshold: z.object({ enabled: z.boolean(), percentage: z.int() }),
})
export type AlertSettings = z.infer<typeof completeAlertSettingsSchema>

export const defaultAlertSettings: AlertSettings = {
  escalationType: 'RUN_BASED',
  runBasedEscalation: { failedRunThreshold: 1 },
  timeBasedEscalation: { minutesFailingThreshold: 5 },
  reminders: { amount: 0, interval: 5 },
  parallelRunFailureThreshold: { enabled: false, percentage: 10 },
}

/** Fills what was not sent with the defaults. */
export function completeAlertSettings(sent: z.infer<typeof alertSettingsSchema> | null | undefined): AlertSettings {
  const d = defaultAlertSettings
  return {
    escalationType: sent?.escalationType ?? d.escalationType,
    runBasedEscalation: { ...d.runBasedEscalation, ...sent?.runBasedEscalation },
    timeBasedEscalation: { ...d.timeBasedEscalation, ...sent?.timeBasedEscalation },
    reminders: { ...d.reminders, ...sent?.reminders },
    parallelRunFailureThreshold: { ...d.parallelRunFailureThreshold, ...sent?.parallelRunFailureThreshold },
  }
}

/** Most retries of a run. Source: contract, Limits. */
export const mostRetries = 10

/** How failed runs are retried. `onlyOn` is a list; one name alone is read as a list of it. */
export const retryStrategySchema = z.strictObject({
  type: z.enum(['FIXED', 'LINEAR', 'EXPONENTIAL', 'SINGLE_RETRY']),
  baseBackoffSeconds: z.number().min(0).max(600).optional().describe('Seconds before the first retry.'),
  sameRegion: z.boolean().optional().describe('Retry at the location that failed.'),
  maxRetries: z.int().min(1).max(mostRetries).optional(),
  maxDurationSeconds: z.number().min(0).max(600).optional().describe('Retries stop when the run has lasted this long.'),
  onlyOn: z
    .preprocess((sent) => (typeof sent === 'string' ? [sent] : sent), z.array(z.literal('NETWORK_ERROR')))
    .optional()
    .describe('Retry only after these kinds of failure.'),
})

/** A retry strategy with every field present, as it is stored and answered. */
export const completeRetryStrategySchema = z.object({
  type: z.enum(['FIXED', 'LINEAR', 'EXPONENTIAL', 'SINGLE_RETRY']),
  baseBackoffSeconds: z.number(),
  sameRegion: z.boolean(),
  maxRetries: z.int(),
  maxDurationSeconds: z.number(),
  onlyOn: z.array(z.literal('NETWORK_ERROR')),
})
export type RetryStrategy = z.infer<typeof completeRetryStrategySchema>

/** Fills what was not sent: 60 s back-off, 2 retries, 600 s in all, same region. */
export function completeRetryStrategy(sent: z.infer<typeof retryStrategySchema>): RetryStrategy {
  return {
    type: sent.type,
    baseBackoffSeconds: sent.baseBackoffSeconds ?? 60,
    sameRegion: sent.sameRegion ?? true,
    maxRetries: sent.type === 'SINGLE_RETRY' ? 1 : (sent.maxRetries ?? 2),
    maxDurationSeconds: sent.maxDurationSeconds ?? 600,
    onlyOn: sent.onlyOn ?? [],
  }
}

/** What `doubleCheck: true` means when no strategy is set: one retry at once, from another location. */
export const doubleCheckStrategy: RetryStrategy = {
  type: 'FIXED',
  baseBackoffSeconds: 0,
  sameRegion: false,
  maxRetries: 1,
  maxDurationSeconds: 600,
  onlyOn: [],
}

/** Milliseconds to wait before retry number `retry` (1 is the first). */
export function retryDelayMs({ type, baseBackoffSeconds: base }: RetryStrategy, retry: number): number {
  if (type === 'LINEAR') return base * retry * 1000
  if (type === 'EXPONENTIAL') return base ** retry * 1000
  return base * 1000
}

/** A failed attempt, as far as a strategy looks at it. */
export interface FailedTry {
  /** Attempts of the same run before it. */
  attempt: number
  /** The target did not answer in its protocol. */
  networkError: boolean
  /** Time from the start of the first attempt to the end of this one. */
  runMs: number
}

/** Milliseconds to wait for the attempt that follows a failed one; undefined when none follows. */
export function nextRetryMs(strategy: RetryStrategy, { attempt, networkError, runMs }: FailedTry): number | undefined {
  const { type, maxRetries, maxDurationSeconds, onlyOn } = strategy
  if (attempt >= maxRetries || (onlyOn.length > 0 && !networkError)) return undefined
  const delayMs = retryDelayMs(strategy, attempt + 1)
  return type !== 'SINGLE_RETRY' && runMs + delayMs > maxDurationSeconds * 1000 ? undefined : delayMs
}

/** Status page automation of a check. */
export const triggerIncidentSchema = z.strictObject({
  serviceId: z.uuid(),
  severity: z.enum(['CRITICAL', 'MAJOR', 'MEDIUM', 'MINOR']),
  name: z.string().min(1),
  description: z.string(),
  notifySubscribers: z.boolean(),
})
