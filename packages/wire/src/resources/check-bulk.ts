import { z } from 'zod'
import { commonCheckFields } from '../check.ts'
import { checkStates, checkTypeNames } from '../enums.ts'
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
  groupId: z.int32().positive().nullable().optional().describe('Moves them to this group; null: out of theirs.'),
  addTags: tags.optional().describe('Tags that a check has not yet.'),
  removeTags: tags.optional(),
  addChannels: channelIds.optional().describe('Ids of alert channels to subscribe.'),
  removeChannels: channelIds.optional().describe('Ids of alert channels to unsubscribe.'),
  delete: z.literal(true).optional().describe('Deletes the checks. Not together with other changes.'),
  restore: z
    .literal(true)
    .optional()
    .describe(
      'Brings back checks that were deleted in the last 24 hours. Only of `ids`, and not together with other changes.',
    ),
})
export type BulkChange = z.infer<typeof bulkChange>

/** How many checks one change may name, and how many are changed in one transaction. */
export const mostIds = 1000

/** Checks by what they are, as in the list of checks. */
export const bulkFilter = z.strictObject({
  tag: tags.optional().describe('Checks with at least one of the tags.'),
  checkType: z.enum(checkTypeNames).optional(),
  search: z.string().min(1).max(255).optional().describe('Part of the name, or of the id.'),
  status: z.enum(checkStates).optional().describe('How the check is now.'),
  groupId: z.int32().positive().optional().describe('Checks of this group.'),
})
export type BulkFilter = z.infer<typeof bulkFilter>

/** Which checks: those named, those that a filter finds, or all of the account, perhaps of one tag. */
export const bulkWrite = z
  .strictObject({
    ids: z.array(uuidOf('a check')).min(1).max(mostIds).optional().describe('Not together with `filter` or `all`.'),
    filter: bulkFilter.optional().describe('Checks that fit every field of it. Not together with `ids` or `all`.'),
    all: z.literal(true).optional().describe('All checks of the account; with `tag`, those that have it.'),
    tag: z.string().min(1).max(100).optional().describe('Only together with `all`.'),
    change: bulkChange,
  })
  .meta({ examples: [{ all: true, tag: 'shop', change: { addTags: ['checkout'] } }] })
export type BulkWrite = z.infer<typeof bulkWrite>

const outcomeOfEach = {
  changed: z.array(z.string()).describe('Ids of the checks that were changed.'),
  unchanged: z.array(z.string()).describe('Ids of those that were so already.'),
  refused: z
    .array(z.object({ id: z.string(), message: z.string() }))
    .describe(
      'The others, each with the reason. They are as they were, unless the reason says that this is not known.',
    ),
}

export const bulkResponse = z
  .object({
    ...outcomeOfEach,
    undoToken: z
      .string()
      .nullable()
      .describe('Takes the changes back within 10 minutes, once; null when nothing was changed.'),
  })
  .meta({ id: 'BulkChangeOutcome' })
export type BulkOutcome = z.infer<typeof bulkResponse>

export const bulkUndoWrite = z
  .strictObject({ token: z.string().min(1).max(100).describe('`undoToken` of the answer to the changes.') })
  .meta({ examples: [{ token: 'vdu_of-the-answer-to-the-changes' }] })

export const bulkUndoResponse = z.object(outcomeOfEach).meta({ id: 'BulkUndoOutcome' })
export type BulkUndoOutcome = z.infer<typeof bulkUndoResponse>
