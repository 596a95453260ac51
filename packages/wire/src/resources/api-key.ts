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
  })
  .meta({ id: 'ApiKey' })
export type ApiKey = z.infer<typeof apiKeyResponse>

export const apiKeyCreate = z.strictObject({ name: z.string().min(1).max(255), role: z.enum(roles) })
export type ApiKeyCreate = z.infer<typeof apiKeyCreate>

/** The answer to a create: the only one that holds the key itself. */
export const apiKeyCreated = z.object({
  ...apiKeyResponse.shape,
  rawKey: z.string().describe('The key itself. Shown here and never again.'),
})
export type CreatedApiKey = z.infer<typeof apiKeyCreated>
