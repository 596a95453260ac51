import { z } from 'zod'

/** The fourteen comparisons of an assertion. Each check type says which of them a source takes. */
export const comparisons = [
  'EQUALS',
  'NOT_EQUALS',
  'HAS_KEY',
  'NOT_HAS_KEY',
  'HAS_VALUE',
  'NOT_HAS_VALUE',
  'IS_EMPTY',
  'NOT_EMPTY',
  'GREATER_THAN',
  'LESS_THAN',
  'CONTAINS',
  'NOT_CONTAINS',
  'IS_NULL',
  'NOT_NULL',
] as const
export type Comparison = (typeof comparisons)[number]

/** One expectation of a check. `target` is a string on the wire even for numbers. */
export interface Assertion {
  source: string
  comparison: Comparison
  property: string
  target: string
  regex: string | null
}

/** Assertion schema for the sources of one check type. */
export const assertionSchema = (sources: readonly [string, ...string[]]) =>
  z.strictObject({
    source: z.enum(sources).describe('What is looked at.'),
    comparison: z.enum(comparisons).describe('How it is compared with the target.'),
    property: z
      .string()
      .max(2000)
      .optional()
      .describe('JSONPath, header name or regular expression, depending on the source.'),
    target: z.string().max(10_000).optional().describe('Expected value, as text.'),
    regex: z
      .string()
      .max(2000)
      .nullable()
      .optional()
      .describe('Regular expression applied to the value first; its first capture group is compared.'),
  })

/** Sources of assertions on an HTTP answer, which checks and groups share. */
export const apiSourceNames = ['STATUS_CODE', 'JSON_BODY', 'HEADERS', 'TEXT_BODY', 'RESPONSE_TIME'] as const

interface SentAssertion {
  source: string
  comparison: Comparison
  property?: string | undefined
  target?: string | undefined
  regex?: string | null | undefined
}

/** Fills what an assertion leaves out. */
export const completeAssertion = ({ source, comparison, property, target, regex }: SentAssertion): Assertion => ({
  source,
  comparison,
  property: property ?? '',
  target: target ?? '',
  regex: regex === '' ? null : (regex ?? null),
})
