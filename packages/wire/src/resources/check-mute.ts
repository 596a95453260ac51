import { z } from 'zod'
import { dateTime } from './answer-fields.ts'

export const checkMuteWrite = z
  .strictObject({
    until: z.iso
      .datetime({ offset: true, error: 'must be an ISO 8601 date and time with a zone, or null' })
      .nullable()
      .describe('When it ends by itself, at most 366 days ahead; null: never.'),
  })
  .meta({ examples: [{ until: null }] })

export const checkMuteResponse = z
  .object({ muted: z.boolean(), mutedUntil: dateTime.nullable().describe('null when it does not end by itself.') })
  .meta({ id: 'CheckMute' })
