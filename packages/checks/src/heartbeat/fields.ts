import type { ZodRawShape } from 'zod'
import { z } from 'zod'
import type { CrossFieldRule } from '@vedette/wire'
import { scheduleFields, type DefinitionOf } from '../core/definition/typed-definition.ts'

/** Units of period and grace. */
export const periodUnits = ['seconds', 'minutes', 'hours', 'days'] as const
export type PeriodUnit = (typeof periodUnits)[number]

const unitMs: Record<PeriodUnit, number> = { seconds: 1000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 }

const longestSeconds = 365 * 86_400
const longest = { ms: longestSeconds * 1000, text: '365 days' }
const shortestPeriod = { ms: 30_000, text: '30 seconds' }

const times = {
  period: z
    .number()
    .min(0)
    .max(longestSeconds)
    .describe('How often a ping is expected, in units of `periodUnit`: 30 seconds to 365 days.'),
  periodUnit: z.enum(periodUnits).describe('Unit of `period`.'),
  grace: z
    .number()
    .min(0)
    .max(longestSeconds)
    .describe('How late a ping may be before the check fails, in units of `graceUnit`: 0 to 365 days.'),
  graceUnit: z.enum(periodUnits).describe('Unit of `grace`.'),
}

export const fields = {
  heartbeat: z
    .strictObject({
      ...times,
      pingToken: z
        .guid()
        .nullable()
        .optional()
        .describe('UUID at the end of the ping URL. One is assigned when none is sent; an update without keeps it.'),
      pingUrl: z.unknown().optional().meta({ readOnly: true, description: 'Only in answers; ignored in requests.' }),
    })
    .describe('When pings are expected.')
    .meta({ examples: [{ period: 1, periodUnit: 'days', grace: 30, graceUnit: 'minutes' }] }),
} satisfies ZodRawShape

export const storedFields = {
  heartbeat: z.object({
    ...times,
    pingToken: z.string().describe('UUID at the end of the ping URL.'),
    pingUrl: z.string().optional().describe('Address that pings are sent to, by GET or POST.'),
  }),
} satisfies ZodRawShape

/** Common fields that mean nothing to a check that waits. */
export const omittedFields = [...scheduleFields, 'shouldFail'] as const
type Omitted = (typeof omittedFields)[number]

export type HeartbeatDefinition = DefinitionOf<typeof storedFields, Omitted>
export type SentHeartbeat = DefinitionOf<typeof fields, Omitted>
type Heartbeat = Pick<HeartbeatDefinition, 'heartbeat'>

/** Period and grace in milliseconds. */
export const heartbeatTimes = ({ heartbeat }: Heartbeat): { periodMs: number; graceMs: number } => ({
  periodMs: Math.round(heartbeat.period * unitMs[heartbeat.periodUnit]),
  graceMs: Math.round(heartbeat.grace * unitMs[heartbeat.graceUnit]),
})

/** `1 day`, `90 seconds`. */
export const amountText = (amount: number, unit: PeriodUnit): string =>
  `${amount} ${amount === 1 ? unit.slice(0, -1) : unit}`

/** `1 day with 30 minutes of grace`. */
export const expectedText = ({ heartbeat: { period, periodUnit, grace, graceUnit } }: Heartbeat): string =>
  `${amountText(period, periodUnit)}${grace === 0 ? '' : ` with ${amountText(grace, graceUnit)} of grace`}`

/** The bounds hold whatever the unit is. */
export const boundsRule: CrossFieldRule<HeartbeatDefinition> = (definition) => {
  const { period, periodUnit, grace, graceUnit } = definition.heartbeat
  const { periodMs, graceMs } = heartbeatTimes(definition)
  return [
    ...(periodMs < shortestPeriod.ms || periodMs > longest.ms
      ? [{ path: 'heartbeat.period', message: mustBe(shortestPeriod.text, amountText(period, periodUnit)) }]
      : []),
    ...(graceMs > longest.ms
      ? [{ path: 'heartbeat.grace', message: mustBe('0 seconds', amountText(grace, graceUnit)) }]
      : []),
  ]
}

const mustBe = (least: string, got: string): string => `must be ${least} to ${longest.text}, got ${got}`
