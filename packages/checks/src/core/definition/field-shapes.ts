import { z } from 'zod'
import { comparisons, variablesSchema } from '@vedette/wire'

export {
  completeAssertion,
  completeVariables,
  keyValueSchema,
  storedKeyValueSchema,
  storedEnvironmentVariablesSchema,
} from '@vedette/wire'

export const ipFamilySchema = z.enum(['IPv4', 'IPv6']).describe('Address family used to connect.')

export const storedAssertionSchema = z.object({
  source: z.string(),
  comparison: z.enum(comparisons),
  property: z.string(),
  target: z.string(),
  regex: z.string().nullable(),
})

/** A limit in milliseconds from 0 to `max`; null means none. */
export const responseTimeSchema = (max: number) => z.number().min(0).max(max).nullable()

/** Variables of the check itself. */
export const environmentVariablesSchema = variablesSchema(100)
