import { z } from 'zod'
import { dateTime } from './answer-fields.ts'

/** What can be wrong with the installation itself, worst first. */
export const troubleCodes = [
  'DATABASE_AWAY',
  'RESULTS_NOT_STORED',
  'NO_SCHEDULER',
  'SCHEDULE_STUCK',
  'NO_AGENT',
  'NOTHING_KNOWN',
  'LEADER_NOT_HEARD',
  'NOTIFICATIONS_NOT_SENT',
  'LOCATION_WITHOUT_AGENT',
  'AGENT_SILENT',
  'NOTIFICATIONS_FAILING',
  'QUEUE_TOO_LONG',
  'DISK_NEARLY_FULL',
  'CLOCK_LEAPT',
  'CANARY_FAILED',
  'DEADMAN_UNREACHED',
] as const
export type TroubleCode = (typeof troubleCodes)[number]

/** `critical`: nothing can be watched, or nobody can be notified. */
export const severities = ['critical', 'warning'] as const

const troubleResponse = z
  .object({
    code: z.enum(troubleCodes),
    severity: z.enum(severities),
    subject: z.string().describe('Name of the location, or Vedette for the whole installation.'),
    title: z.string().describe('What is wrong, in a few words.'),
    text: z.string().describe('What is wrong, in one sentence.'),
    advice: z.string().describe('What to do.'),
    reason: z
      .string()
      .nullable()
      .describe('The error itself, with its addresses and paths: for the operator only, null for others.'),
    since: dateTime,
  })
  .meta({ id: 'Trouble' })
export type TroubleAnswer = z.infer<typeof troubleResponse>

const seconds = z.number().nullable()

/** Figures of the whole installation. */
export const healthFigures = z.object({
  lastTickSeconds: seconds.describe('Seconds since the schedule was last looked at.'),
  nextTickSeconds: seconds.describe('Seconds until the next run is due; null when none is planned.'),
  lastLeaseSeconds: seconds.describe('Seconds since an agent last asked for work.'),
  lastCommitSeconds: seconds.describe('Seconds since results were last stored.'),
  lastDeliveryRoundSeconds: seconds.describe('Seconds since due notifications were last looked for.'),
  ingestFailingSeconds: seconds.describe('For how long no results could be stored; null while they can.'),
  waitingRuns: z.int().describe('Runs that wait for an agent.'),
  diskFreeBytes: z.number().nullable().describe('Free space of the data directory.'),
  diskSizeBytes: z.number().nullable(),
  clockLeaptMs: z.number().nullable().describe('By how much the clock of the host leapt lately.'),
  lastCanaryAt: dateTime.nullable().describe('When a test notification last went the whole road.'),
})

/** Whether Vedette itself can watch and notify. A standby answers with what the leader last said. */
export const healthResponse = z
  .object({
    ready: z.boolean().describe('False while nothing can be watched or notified of.'),
    role: z
      .enum(['leading', 'standby', 'none'])
      .describe('leading: this server schedules; standby: another one does; none: nobody is known to.'),
    lookedAt: dateTime,
    troubles: z.array(troubleResponse).describe('The worst first.'),
    leader: z
      .string()
      .nullable()
      .describe('Host of the server that schedules: for the operator only, null for others.'),
    facts: healthFigures.extend({
      agentsOnline: z
        .array(z.object({ location: z.string(), agents: z.int() }))
        .describe('Private locations of the account in use; for the operator all that are shared, too.'),
      openGaps: z.array(z.string()).describe('Locations whose runs are left out now.'),
    }),
  })
  .meta({ id: 'Health' })
export type Health = z.infer<typeof healthResponse>
