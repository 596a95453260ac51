import { z } from 'zod'
import { dateTime } from './answer-fields.ts'

/** States of events of heartbeat checks. Source: contract, "Enumerations". */
export const heartbeatStates = ['FAILING', 'EARLY', 'RECEIVED', 'GRACE', 'LATE'] as const
export type HeartbeatState = (typeof heartbeatStates)[number]

/** A ping of a heartbeat check, or that none came. */
export const heartbeatEvent = z
  .object({
    id: z.string().describe('Id of the result that the event became.'),
    state: z
      .enum(heartbeatStates)
      .describe(
        'FAILING: no ping came in time. EARLY: one before 80 % of the period, RECEIVED: on time, GRACE: within the grace, LATE: after it.',
      ),
    timestamp: dateTime.describe('When the ping arrived or the wait ended.'),
    source: z.string().nullable().describe('`Origin` of the ping, else its `Referer`; null when it named neither.'),
    userAgent: z.string().nullable().describe('User agent of the ping; null for FAILING.'),
  })
  .meta({ id: 'HeartbeatEvent' })
export type HeartbeatEvent = z.infer<typeof heartbeatEvent>

const ratio = z.number().min(0).max(1).optional().describe('0 to 1; left out when there was no event.')

/** How many events of a time were pings. */
export const heartbeatAvailability = z
  .object({
    successRatio: z.object({ previousPeriod: ratio, currentPeriod: ratio }).describe('Pings among all events.'),
    totalEntitiesCurrentPeriod: z.int().describe('Events of the current period.'),
  })
  .meta({ id: 'HeartbeatAvailability', description: 'Of a time, and of the time of the same length before it.' })
export type HeartbeatAvailability = z.infer<typeof heartbeatAvailability>

const heartbeatStats = z
  .object({ last24Hours: heartbeatAvailability, last7Days: heartbeatAvailability })
  .meta({ id: 'HeartbeatStats' })
export type HeartbeatStats = z.infer<typeof heartbeatStats>

export const heartbeatEvents = z
  .object({ events: z.array(heartbeatEvent).describe('Newest first.'), stats: heartbeatStats })
  .meta({ id: 'HeartbeatEvents' })
export type HeartbeatEvents = z.infer<typeof heartbeatEvents>

export const heartbeatEventWithStats = z
  .object({ event: heartbeatEvent, stats: heartbeatStats })
  .meta({ id: 'HeartbeatEventWithStats' })

/** What a heartbeat check waits for now. */
export const heartbeatTimer = z
  .object({
    lastPingAt: dateTime.nullable().describe('null before the first ping.'),
    expectedAt: dateTime
      .nullable()
      .describe('When the next ping is expected; null while the check is paused or waits for its first ping.'),
    deadlineAt: dateTime.nullable().describe('When the check fails, or fails again, if no ping comes until then.'),
  })
  .meta({ id: 'HeartbeatTimer' })
export type HeartbeatTimer = z.infer<typeof heartbeatTimer>
