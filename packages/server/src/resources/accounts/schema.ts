import { alertSettingsSchema, locations } from '@vedette/wire'
import { z } from 'zod'

export const accountResponse = z
  .object({
    id: z.string(),
    name: z.string(),
    alertSettings: z.looseObject({}).describe('Used by checks with `useGlobalAlertSettings`.'),
    defaultLocations: z.array(z.string()).describe('Where checks run that name no location.'),
    created_at: z.string(),
    updated_at: z.string().nullable(),
  })
  .meta({ id: 'Account' })

export const accountUpdate = z.strictObject({
  name: z.string().min(1).max(255).optional(),
  alertSettings: alertSettingsSchema.optional(),
  defaultLocations: z.array(z.enum(locations)).min(1).max(locations.length).optional(),
})

export type AccountUpdate = z.infer<typeof accountUpdate>
