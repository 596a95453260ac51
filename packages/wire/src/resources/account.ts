import { z } from 'zod'
import { locations } from '../enums.ts'
import { alertSettingsSchema, completeAlertSettingsSchema } from '../settings.ts'
import { accountInviteCreated } from './account-member.ts'
import { dateTime } from './answer-fields.ts'

/** An account. Source: contract, "Accounts"; the settings are additions. */
export const accountResponse = z
  .object({
    id: z.string(),
    name: z.string(),
    alertSettings: completeAlertSettingsSchema.describe('Used by checks with `useGlobalAlertSettings`.'),
    defaultLocations: z.array(z.string()).describe('Where checks run that name no location.'),
    created_at: dateTime,
    updated_at: dateTime.nullable(),
  })
  .meta({ id: 'Account' })
export type Account = z.infer<typeof accountResponse>

/** An account as whoever operates the installation sees it. */
export const installationAccount = z
  .object({
    id: z.string(),
    name: z.string(),
    members: z.int(),
    checks: z.int().describe('Deleted ones are not counted.'),
    suspendedAt: dateTime.nullable().describe('Since when nobody gets in and no check runs; null for never.'),
    suspendedBecause: z.string().nullable(),
    created_at: dateTime,
  })
  .meta({ id: 'InstallationAccount' })
export type InstallationAccount = z.infer<typeof installationAccount>

export const installationAccountCreate = z
  .strictObject({
    name: z.string().trim().min(1).max(255),
    ownerEmail: z.email().max(254).describe('Who is invited to own it.'),
  })
  .meta({ examples: [{ name: 'Shop', ownerEmail: 'ada@example.com' }] })
export type InstallationAccountCreate = z.infer<typeof installationAccountCreate>

/** The answer to a create, with the invitation of the owner: the only one that holds its link. */
export const installationAccountCreated = z.object({ ...installationAccount.shape, invite: accountInviteCreated })
export type CreatedInstallationAccount = z.infer<typeof installationAccountCreated>

export const accountSuspend = z
  .strictObject({
    because: z.string().trim().min(1).max(500).optional().describe('For those who operate the installation.'),
  })
  .meta({ examples: [{ because: 'Nobody has answered since the contract ended.' }] })
export type AccountSuspend = z.infer<typeof accountSuspend>

/** A change of the settings that all checks of the account share. What is not sent stays. */
export const accountUpdate = z
  .strictObject({
    name: z.string().min(1).max(255).optional(),
    alertSettings: alertSettingsSchema.optional(),
    defaultLocations: z.array(z.enum(locations)).min(1).max(locations.length).optional(),
  })
  .meta({ examples: [{ name: 'Shop', defaultLocations: ['eu-west-1', 'us-east-1'] }] })
export type AccountUpdate = z.infer<typeof accountUpdate>
