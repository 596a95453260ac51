import { z } from 'zod'
import { onlyInAnswers } from './only-in-answers.ts'
import { dateTime } from './answer-fields.ts'

/** Fields that only answers carry. They are ignored when they are sent back. */
const ignored = {
  id: onlyInAnswers,
  created_at: onlyInAnswers,
  updated_at: onlyInAnswers,
  usedBy: onlyInAnswers,
  usedByCount: onlyInAnswers,
}

/** A snippet as it is sent, to be made or in place of what it was. */
export const snippetWrite = z
  .strictObject({
    name: z.string().trim().min(1).max(255).describe('Name by which scripts use it. Unique within the account.'),
    script: z.string().min(1).max(1_000_000).describe('Node.js code.'),
    ...ignored,
  })
  .meta({ id: 'SnippetCreate', examples: [{ name: 'sign-in', script: "request.headers['x-run'] = 'synthetic'" }] })
export type SnippetWrite = z.infer<typeof snippetWrite>

/** A piece of script that several checks share. `usedBy` and below are additions for the web app. */
export const snippetResponse = z
  .object({
    id: z.int(),
    name: z.string(),
    script: z.string(),
    created_at: dateTime,
    updated_at: dateTime.nullable(),
    usedBy: z
      .array(z.object({ checkId: z.string(), name: z.string() }))
      .describe('Checks that use it for their setup or teardown, by name; the first twenty.'),
    usedByCount: z.int().describe('All checks that use it.'),
  })
  .meta({ id: 'Snippet' })
export type Snippet = z.infer<typeof snippetResponse>
