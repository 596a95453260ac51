import { z } from 'zod'
import { commonCheckFields } from '../check.ts'
import { uuidOf } from './uuid-of.ts'
import { checkMuteWrite } from './check-mute.ts'

const channelIds = z.array(z.int32().positive()).min(1).max(200)
const tags = commonCheckFields.tags.min(1)

/** What is to become of each check. */
export const bulkChange = z.strictObject({
  activated: commonCheckFields.activated.optional(),
  muted: z.boolean().optional().describe('true: for good, unless `mutedUntil` says when it ends.'),
  mutedUntil: checkMuteWrite.shape.until
    .optional()
    .describe('Mutes until then, at most 366 days ahead; null: for good.'),
  addTags: tags.optional().describe('Tags that a check has not yet.'),
  removeTags: tags.optional(),
  addChannels: channelIds.optional().describe('Ids of alert channels to subscribe.'),
  removeChannels: channelIds.optional().describe('Ids of alert channels to unsubscribe.'),
  delete: z.literal(true).optional().describe('Deletes the checks. Not together with other changes.'),
})
export type BulkChange = z.infer<typeof bulkChange>

export const bulkWrite = z.strictObject({
  ids: z.array(uuidOf('a check')).min(1).max(1000),
  change: bulkChange,
})

export const bulkResponse = z
  .object({
    changed: z.array(z.string()).describe('Ids of the checks that were changed.'),
    refused: z
      .array(z.object({ id: z.string(), message: z.string() }))
      .describe('The others, each with the reason. They are as they were.'),
  })
  .meta({ id: 'BulkChangeOutcome' })
export type BulkOutcome = z.infer<typeof bulkResponse>
