import { z } from 'zod'
import { comparisons, variablesSchema, type Comparison, type FormSection } from '@vedette/wire'

export {
  completeAssertion,
  completeVariables,
  keyValueSchema,
  storedKeyValueSchema,
  storedEnvironmentVariablesSchema,
} from '@vedette/wire'

export const ipFamilySchema = z.enum(['IPv4', 'IPv6']).describe('Address family used to connect.')

const hostRule = 'must be a host name or an IP address, without scheme, port or path'

/**
 * Only IPv6 addresses contain colons. Of names only those with an empty part are refused, which no resolver accepts.
 */
function isHost(text: string): boolean {
  if (text.includes(':')) return URL.canParse(`http://[${text.replace(/^\[(.*)\]$/, '$1')}]`)
  return text.replace(/\.$/, '').split('.').every(Boolean)
}

/** A host name or an IP address of at most that many characters. */
export const hostSchema = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[^\s/?#@]+$/, hostRule)
    .refine(isHost, hostRule)

/** An optional text: null when it was not sent or is empty, as a form leaves it that was cleared. */
export const textOrNull = (sent: string | null | undefined): string | null =>
  (sent ?? '').trim() === '' ? null : (sent as string)

export const storedAssertionSchema = z.object({
  source: z.string(),
  comparison: z.enum(comparisons),
  property: z.string(),
  target: z.string(),
  regex: z.string().nullable(),
})

/** Values as the choices of a form, each called by itself. */
export const optionsOf = (values: readonly string[]) => values.map((value) => ({ value, label: value }))

export const ipFamilyOptions = optionsOf(['IPv4', 'IPv6'])

/** Comparisons that a measured number takes. */
export const numericComparisons = [
  'EQUALS',
  'NOT_EQUALS',
  'LESS_THAN',
  'GREATER_THAN',
  'IS_EMPTY',
  'NOT_EMPTY',
] as const satisfies readonly Comparison[]

/** The part of a form that asks for the limits on response time; the texts are their defaults. */
export const responseTimeSection = (degraded: string, failed: string): FormSection => ({
  title: 'Response time',
  fields: [
    { path: 'degradedResponseTime', label: 'Degraded over (ms)', kind: 'number', placeholder: degraded },
    { path: 'maxResponseTime', label: 'Failed over (ms)', kind: 'number', placeholder: failed },
  ],
})

/** A limit in milliseconds from 0 to `max`; null means none. */
export const responseTimeSchema = (max: number) => z.number().min(0).max(max).nullable()

/** Variables of the check itself. */
export const environmentVariablesSchema = variablesSchema(100)
