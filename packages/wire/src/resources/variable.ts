import { z } from 'zod'

const key = z
  .string()
  .max(255)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: 'must start with a letter or _ and go on with letters, digits or _' })
  .meta({ description: 'Name by which checks and channels use it. Never changes.', examples: ['SHOP_URL'] })
const value = z
  .string()
  .max(65_536)
  .meta({ examples: ['https://shop.example.com'] })
const locked = z.boolean().describe('Hide the value like a password, in the web app only.')
const secret = z.boolean().describe('Never show the value again. Once set, it stays.')

/** The body of a create. */
export const variableCreate = z
  .strictObject({ key, value, locked: locked.optional(), secret: secret.optional() })
  .meta({ examples: [{ key: 'SHOP_URL', value: 'https://shop.example.com' }] })
export type VariableCreate = z.infer<typeof variableCreate>

/** The body of an update. `key` may be sent back and is ignored. */
export const variableUpdate = z
  .strictObject({ key: z.string().optional(), value, locked: locked.optional(), secret: secret.optional() })
  .meta({ examples: [{ value: 'https://shop.example.com' }] })
export type VariableUpdate = z.infer<typeof variableUpdate>

/** A value that checks and channels use by name. */
export const variableResponse = z
  .object({
    key: z.string(),
    value: z.string().nullable().describe('null for a secret variable.'),
    locked: z.boolean(),
    secret: z.boolean(),
  })
  .meta({ id: 'Variable' })
export type Variable = z.infer<typeof variableResponse>
