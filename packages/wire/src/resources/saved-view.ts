import { z } from 'zod'
import { dateTime } from './answer-fields.ts'

/** A view to be saved. */
export const savedViewCreate = z
  .strictObject({
    name: z.string().trim().min(1).max(60).describe('Unique within the account.'),
    query: z.string().max(2000).describe('Query of the address that shows it, without `?`. Empty: the whole list.'),
  })
  .meta({ id: 'SavedViewCreate', examples: [{ name: 'Shop, failing', query: 'tag=shop&status=failing' }] })
export type SavedViewCreate = z.infer<typeof savedViewCreate>

/** Filters, groups and order of the list of checks under a name, for everybody of the account. */
export const savedView = z
  .object({ id: z.string(), name: z.string(), query: z.string(), created_at: dateTime })
  .meta({ id: 'SavedView' })
export type SavedView = z.infer<typeof savedView>
