import type { Assertion } from '@vedette/wire'
import type { AssertionFinding } from './assertions.ts'
import { cutText } from '../plain-text.ts'
import { readableName } from './readable-name.ts'

const words: Record<Assertion['comparison'], string> = {
  EQUALS: 'to equal',
  NOT_EQUALS: 'not to equal',
  HAS_KEY: 'to have the key',
  NOT_HAS_KEY: 'not to have the key',
  HAS_VALUE: 'to have the value',
  NOT_HAS_VALUE: 'not to have the value',
  IS_EMPTY: 'to be empty',
  NOT_EMPTY: 'not to be empty',
  GREATER_THAN: 'to be greater than',
  LESS_THAN: 'to be less than',
  CONTAINS: 'to contain',
  NOT_CONTAINS: 'not to contain',
  IS_NULL: 'to be null',
  NOT_NULL: 'not to be null',
}
const withoutTarget = new Set<Assertion['comparison']>(['IS_EMPTY', 'NOT_EMPTY', 'IS_NULL', 'NOT_NULL'])

const shortened = (text: string) => (text.length > 200 ? `${cutText(text, 200)}…` : text)

/** Why an assertion failed: "Expected status code to equal 200, got 503". */
export function assertionMessage(assertion: Assertion, { actual, problem }: AssertionFinding): string {
  const subject = [readableName(assertion.source), shortened(assertion.property)]
    .filter((part) => part !== '')
    .join(' ')
  const target = withoutTarget.has(assertion.comparison) ? '' : ` ${shortened(assertion.target) || '""'}`
  const got = actual === null ? 'nothing' : shortened(actual) || 'an empty text'
  const because = problem === null ? '' : `: ${shortened(problem)}`
  return `Expected ${subject} ${words[assertion.comparison]}${target}, got ${got}${because}`
}
