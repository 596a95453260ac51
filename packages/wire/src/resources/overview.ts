import { z } from 'zod'
import { checkStates, checkTypeNames, outcomes } from '../enums.ts'
import { dateTime } from './answer-fields.ts'

/** One run in the strip of a check. */
export const stripRun = z
  .object({
    id: z.string().describe('Id of its result.'),
    at: dateTime.describe('When it was due.'),
    outcome: z.enum(outcomes),
    degraded: z.boolean(),
    ms: z.number().nullable().describe('Response time in milliseconds; null when nothing was measured.'),
    location: z.string().nullable().describe('null for results of passive checks.'),
  })
  .meta({ id: 'StripRun' })
export type StripRun = z.infer<typeof stripRun>

/** A check in the list of the web app. */
export const overviewRow = z
  .object({
    checkId: z.string(),
    name: z.string(),
    checkType: z.enum(checkTypeNames),
    action: z.string().describe('What the check does, in one line.'),
    host: z.string().describe('Host it looks at.'),
    tags: z.array(z.string()),
    activated: z.boolean(),
    muted: z.boolean().describe('Whether channels hear nothing of it now.'),
    mutedUntil: dateTime
      .nullable()
      .describe('When that ends by itself; null when it does not, or when it is not muted.'),
    acknowledged: z
      .object({ by: z.string(), at: dateTime })
      .nullable()
      .describe('Who cares for its failure or degradation, and since when. It has no reminders meanwhile.'),
    state: z.enum(checkStates),
    stateSince: dateTime.nullable(),
    cause: z.string().nullable().describe('What is wrong now, in one sentence.'),
    lastRunAt: dateTime.nullable(),
    lastPassAt: dateTime.nullable(),
    lastResultId: z.string().nullable(),
    lastRunLocation: z.string().nullable(),
    failingLocations: z.array(z.string()),
    locationCount: z.int().describe('Locations it runs from.'),
    periodMs: z.number().nullable().describe('Milliseconds between runs; null when it has no period.'),
    overlaps: z.int().describe('Ticks dropped because the run before was still in flight.'),
    notRunnable: z.string().nullable().describe('Why the check cannot run, if it cannot.'),
    runs: z.array(stripRun).describe('The last runs, oldest first.'),
  })
  .meta({ id: 'OverviewRow' })
export type OverviewRow = z.infer<typeof overviewRow>

export const overviewResponse = z
  .object({
    serverTime: dateTime,
    counts: z.partialRecord(z.enum(checkStates), z.int()).describe('Checks that match, by state.'),
    total: z.int().describe('Checks that match, of the states asked for.'),
    tags: z.array(z.string()).describe('Every tag in use.'),
    items: z.array(overviewRow).describe('Trouble first, newest trouble on top.'),
  })
  .meta({ id: 'Overview' })
export type Overview = z.infer<typeof overviewResponse>
