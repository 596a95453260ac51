import { z } from 'zod'
import { alertChannelTypes, notificationStatuses } from '../enums.ts'
import { dateTime } from './answer-fields.ts'

export const episodeStates = ['failing', 'degraded'] as const

const notifiedChannel = z
  .object({
    channelId: z.int(),
    type: z.enum(alertChannelTypes),
    name: z.string().describe('Name of the channel, or its address when it has none.'),
    status: z
      .enum(notificationStatuses)
      .describe('SUCCESS as soon as it accepted one notification; else that of the newest.'),
  })
  .meta({ id: 'NotifiedChannel' })

/** A time in which a check was failing or degraded. */
export const checkEpisodeResponse = z
  .object({
    id: z.string(),
    state: z.enum(episodeStates),
    startedAt: dateTime.describe('When its first bad run was due.'),
    endedAt: dateTime
      .nullable()
      .describe(
        'When the run was due that ended it, or when the check was switched off or deleted; null while it lasts.',
      ),
    durationMs: z.number().describe('Milliseconds it lasted, until now while it lasts.'),
    cause: z.string().nullable().describe('What was wrong when it began, in one sentence.'),
    resultId: z.string().nullable().describe('Its first bad result; null when that is not known any more.'),
    acknowledgedBy: z.string().nullable().describe('E-mail address of the person, or name of the API key.'),
    acknowledgedAt: dateTime.nullable(),
    notified: z
      .array(notifiedChannel)
      .describe('Channels that were to be notified of it, each once. The notification of its end does not count.'),
  })
  .meta({ id: 'CheckEpisode' })
export type CheckEpisode = z.infer<typeof checkEpisodeResponse>
export type NotifiedChannel = CheckEpisode['notified'][number]
