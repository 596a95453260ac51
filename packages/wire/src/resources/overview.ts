import { z } from 'zod'
import { checkStates, checkTypeNames, outcomes } from '../enums.ts'
import { dateTime } from './answer-fields.ts'

/** Orders of the list: trouble first; by name; the newest run first; the slowest last run first. */
export const overviewSorts = ['trouble', 'name', 'lastRun', 'responseTime'] as const
export type OverviewSort = (typeof overviewSorts)[number]

/** Parts of the list: what needs somebody first; what is muted or paused apart from it. */
export const overviewSections = ['trouble', 'waiting', 'passing', 'muted', 'paused'] as const
export type OverviewSection = (typeof overviewSections)[number]

export const overviewGroupings = ['none', 'section', 'tag', 'host', 'group', 'state'] as const
export type OverviewGrouping = (typeof overviewGroupings)[number]

/** Parts of the answer that a reader may ask for alone. */
export const overviewParts = ['counts', 'tags', 'items', 'groups'] as const
export type OverviewPart = (typeof overviewParts)[number]

/** One run in the strip of a check. */
export const stripRun = z
  .object({
    id: z.string().describe('Id of its result.'),
    at: dateTime.describe('When it was due.'),
    outcome: z.enum(outcomes),
    degraded: z.boolean(),
    ms: z.number().nullable().describe('Response time in milliseconds; null when nothing was measured.'),
    location: z.string().nullable().describe('null for results of passive checks.'),
    retries: z.int().describe('Attempts that failed before this result.'),
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
    group: z.object({ id: z.int(), name: z.string() }).nullable().describe('Check group it belongs to.'),
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
    lastMs: z.number().nullable().describe('Response time of the last run; null when it measured nothing.'),
    failingLocations: z.array(z.string()),
    locationCount: z.int().describe('Locations it runs from.'),
    periodMs: z.number().nullable().describe('Milliseconds between runs; null when it has no period.'),
    overlaps: z.int().describe('Ticks dropped because the run before was still in flight.'),
    notRunnable: z.string().nullable().describe('Why the check cannot run, if it cannot.'),
    runs: z.array(stripRun).describe('The last runs, oldest first.'),
  })
  .meta({ id: 'OverviewRow' })
export type OverviewRow = z.infer<typeof overviewRow>

const counts = z.partialRecord(z.enum(checkStates), z.int())

/** Checks that share a tag, a host, a check group or a state. */
export const overviewGroup = z
  .object({
    key: z
      .string()
      .nullable()
      .describe('The section, tag, host, id of the check group, or state; null: they have none.'),
    label: z.string().nullable().describe('What people call it: of a check group its name, else the key.'),
    total: z.int().describe('Checks of the group that match, of the states asked for.'),
    counts: counts.describe('Checks of the group that match, by state.'),
  })
  .meta({ id: 'OverviewGroup' })
export type OverviewGroup = z.infer<typeof overviewGroup>

export const overviewResponse = z
  .object({
    serverTime: dateTime,
    counts: counts.optional().describe('Checks that match, by state.'),
    total: z.int().optional().describe('Checks that match, of the states asked for; with `counts`.'),
    tags: z.array(z.string()).optional().describe('Every tag in use.'),
    items: z
      .array(overviewRow)
      .optional()
      .describe('Trouble first, newest trouble on top, unless `sort` says otherwise.'),
    groups: z
      .array(overviewGroup)
      .optional()
      .describe(
        'Groups with failing checks first, then by name; at most 500. Sections and states stand in the order of trouble.',
      ),
  })
  .meta({ id: 'Overview' })

/** An answer with the parts that were asked for. */
export type OverviewAnswer = z.infer<typeof overviewResponse>
/** The answer to a request that names no parts. */
export type Overview = Required<Omit<OverviewAnswer, 'groups'>> & Pick<OverviewAnswer, 'groups'>

/** How often a check was up in the last 24 hours. */
export const checkUptime = z
  .object({
    checkId: z.string(),
    uptime: z.number().min(0).max(1).nullable().describe('Passed and degraded runs among `runs`; null without any.'),
    runs: z.int().describe('Runs that passed or failed. Those of which the outcome is not known do not count.'),
  })
  .meta({ id: 'CheckUptime' })
export type CheckUptime = z.infer<typeof checkUptime>
