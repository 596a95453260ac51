import { z } from 'zod'
import { roles } from '../enums.ts'
import { uuidOf } from './uuid-of.ts'

/** Who is signed in, and for which account. */
export const profileResponse = z.object({
  email: z.string(),
  name: z.string(),
  accountId: z.string(),
  accountName: z.string(),
  role: z.enum(roles),
  isOwner: z.boolean(),
  isOperator: z.boolean().describe('An admin of the account that operates the installation.'),
  isSuspended: z.boolean().describe('The account is suspended: nothing but this answers.'),
  accounts: z.array(z.object({ id: z.string(), name: z.string() })).describe('Every account the person belongs to.'),
  hasPassword: z.boolean(),
  hasTotp: z.boolean().describe('Signing in needs a code besides the password.'),
})
export type Profile = z.infer<typeof profileResponse>

export const signInRequest = z.strictObject({
  email: z.string().min(1).max(320),
  password: z.string().min(1).max(1000),
  /** Of the authenticator, or a recovery code. A 401 whose validation names it asks for it. */
  code: z.string().min(1).max(100).optional(),
})
/** Which of their accounts a person works in from now on, in this browser. */
export const accountSwitch = z.strictObject({ accountId: uuidOf('an account') })

export const signedInResponse = z.object({ accountId: z.string() })

/** A new password. When one is already set, it must be sent along. */
export const passwordUpdate = z.strictObject({
  password: z.string().min(10).max(1000),
  currentPassword: z.string().max(1000).optional(),
})

/** Begins to set up a second factor. A password that is set must be sent along. */
export const totpStart = z.strictObject({ currentPassword: z.string().max(1000).optional() })

/** What an authenticator needs. It is asked for when signing in once a code has confirmed it. */
export const totpDraft = z.object({ secret: z.string(), uri: z.string() })
export type TotpDraft = z.infer<typeof totpDraft>

export const totpConfirm = z.strictObject({ code: z.string().min(1).max(100) })
export const totpRemove = z.strictObject({ ...totpStart.shape, ...totpConfirm.shape })

/** Each signs in once when the authenticator is lost. Shown here and never again. */
export const recoveryCodesResponse = z.object({ recoveryCodes: z.array(z.string()) })
export type RecoveryCodes = z.infer<typeof recoveryCodesResponse>

/** How one can sign in besides a password. */
export const waysToSignIn = z.object({ oidc: z.boolean().describe('With an identity provider, at `/session/oidc`.') })
export type WaysToSignIn = z.infer<typeof waysToSignIn>
