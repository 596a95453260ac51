import { z } from 'zod'

/** A moment in an answer. */
export const dateTime = z.string().describe('ISO 8601 in UTC with milliseconds.')

/** A list read by cursor: `nextId` is null at the end. */
export const cursorList = <T extends z.ZodType>(entry: T) =>
  z.object({
    length: z.int().describe('Entries in this answer.'),
    entries: z.array(entry),
    nextId: z.string().nullable().describe('Send it as `nextId` to read on; null at the end.'),
  })
export interface CursorList<T> {
  length: number
  entries: T[]
  nextId: string | null
}

/** The parent for which an alert is held back. */
export const heldBackBy = z.object({ id: z.string(), name: z.string() }).nullable()
