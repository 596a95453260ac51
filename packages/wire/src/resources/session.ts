import { z } from 'zod'
import { roles } from '../enums.ts'

/** Who is signed in, and for which account. */
export const profileResponse = z.object({
  email: z.string(),
  name: z.string(),
  accountId: z.string(),
  accountName: z.string(),
  role: z.enum(roles),
  hasPassword: z.boolean(),
})
export type Profile = z.infer<typeof profileResponse>

export const signInRequest = z.strictObject({
  email: z.string().min(1).max(320),
  password: z.string().min(1).max(1000),
})
export const signedInResponse = z.object({ accountId: z.string() })

/** A new password. When one is already set, it must be sent along. */
export const passwordUpdate = z.strictObject({
  password: z.string().min(10).max(1000),
  currentPassword: z.string().max(1000).optional(),
})
