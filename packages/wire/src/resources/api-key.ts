import { z } from 'zod'
import { roles } from '../enums.ts'
import { dateTime } from './answer-fields.ts'

/** A key of the management API. */
export const apiKeyResponse = z
  .object({
    id: z.string(),
    name: z.string(),
    role: z.enum(roles).describe('What the key may do; each role includes the ones before it.'),
    maskedKey: z.string().describe('The last characters of the key.'),
    created_at: dateTime,
    lastUsedAt: dateTime.nullable().describe('To the minute; null before the first use.'),
    expiresAt: dateTime.nullable().describe('From then on it is refused; null for never.'),
    userId: z
      .string()
      .nullable()
      .describe(
        'The member whose key it is: it may do no more than they, and ends when they leave. null: of the account.',
      ),
    userEmail: z.string().nullable(),
  })
  .meta({ id: 'ApiKey' })
export type ApiKey = z.infer<typeof apiKeyResponse>

export const apiKeyCreate = z
  .strictObject({
    name: z.string().min(1).max(255),
    role: z.enum(roles),
    expiresAt: z.iso.datetime({ offset: true }).optional().describe('In the future. Left out: it does not expire.'),
    personal: z
      .boolean()
      .optional()
      .describe('Yours instead of the account’s. Only people who are signed in have keys of their own.'),
  })
  .meta({ examples: [{ name: 'Deployment', role: 'run' }] })
export type ApiKeyCreate = z.infer<typeof apiKeyCreate>

/** The answer to a create: the only one that holds the key itself. */
export const apiKeyCreated = z.object({
  ...apiKeyResponse.shape,
  rawKey: z.string().describe('The key itself. Shown here and never again.'),
})
export type CreatedApiKey = z.infer<typeof apiKeyCreated>
