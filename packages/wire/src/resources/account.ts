import { z } from 'zod'
import { locations } from '../enums.ts'
import { alertSettingsSchema, completeAlertSettingsSchema } from '../settings.ts'
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

/** A change of the settings that all checks of the account share. What is not sent stays. */
export const accountUpdate = z.strictObject({
  name: z.string().min(1).max(255).optional(),
  alertSettings: alertSettingsSchema.optional(),
  defaultLocations: z.array(z.enum(locations)).min(1).max(locations.length).optional(),
})
export type AccountUpdate = z.infer<typeof accountUpdate>
