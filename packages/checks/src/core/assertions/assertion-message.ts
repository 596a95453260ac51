import type { Assertion } from '@vedette/wire'
import type { AssertionFinding } from './assertions.ts'
import { cutText } from '../plain-text.ts'

const words: Record<Assertion['comparison'], string> = {
  EQUALS: 'equals',
  NOT_EQUALS: 'does not equal',
  HAS_KEY: 'has the key',
  NOT_HAS_KEY: 'does not have the key',
  HAS_VALUE: 'has the value',
  NOT_HAS_VALUE: 'does not have the value',
  IS_EMPTY: 'is empty',
  NOT_EMPTY: 'is not empty',
  GREATER_THAN: 'is greater than',
  LESS_THAN: 'is less than',
  CONTAINS: 'contains',
  NOT_CONTAINS: 'does not contain',
  IS_NULL: 'is null',
  NOT_NULL: 'is not null',
}
const withoutTarget = new Set<Assertion['comparison']>(['IS_EMPTY', 'NOT_EMPTY', 'IS_NULL', 'NOT_NULL'])

const shortened = (text: string) => (text.length > 200 ? `${cutText(text, 200)}…` : text)

/** Why an assertion failed: "Expected STATUS_CODE equals 200, got 503". */
export function assertionMessage(assertion: Assertion, { actual, problem }: AssertionFinding): string {
  const subject = [assertion.source, shortened(assertion.property)].filter((part) => part !== '').join(' ')
  const target = withoutTarget.has(assertion.comparison) ? '' : ` ${shortened(assertion.target) || '""'}`
  const got = actual === null ? 'nothing' : shortened(actual) || 'an empty text'
  const because = problem === null ? '' : `: ${shortened(problem)}`
  return `Expected ${subject} ${words[assertion.comparison]}${target}, got ${got}${because}`
}
