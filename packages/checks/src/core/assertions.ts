import type { Assertion } from '@vedette/wire'
import type { AssertedValue, AssertionSource } from './check-type.ts'
import { compare } from './compare.ts'
import { compileJsonPath } from './json-path.ts'
import { ExpressionProblem, firstGroup } from './regex.ts'

/** One assertion with what it looks at: plain data, so that another thread can evaluate it. */
export interface AssertionTask {
  assertion: Assertion
  reads: AssertionSource<never>['reads']
  subject: AssertedValue
}

/** How an assertion came out. `actual` is uncut enough to be scrubbed; `problem` says why nothing could be compared. */
export interface AssertionFinding {
  passed: boolean
  actual: string | null
  problem: string | null
}

/** Characters of an actual value that leave the evaluation. */
const actualLimit = 4000

/** Documents of one batch, each parsed once. */
type Documents = Map<string, unknown>

const failed = (problem: string, actual: string | null = null): AssertionFinding => ({ passed: false, actual, problem })

function asText(value: unknown): string | null {
  if (value === undefined) return null
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.slice(0, actualLimit)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new ExpressionProblem(text.trim() === '' ? 'the body is empty, not JSON' : 'the body is not JSON')
  }
}

function documentOf(subject: AssertedValue, documents: Documents): unknown {
  if (typeof subject !== 'string') return subject
  if (!documents.has(subject)) documents.set(subject, parse(subject))
  return documents.get(subject)
}

/** The values to compare: what the property picks, or nothing once. */
function valuesOf({ assertion, reads, subject }: AssertionTask, documents: Documents): readonly unknown[] {
  if (subject === undefined) return [undefined]
  if (reads === 'jsonPath') {
    const values = compileJsonPath(assertion.property).values(documentOf(subject, documents))
    return values.length === 0 ? [undefined] : values
  }
  if (reads === 'regex' && assertion.property !== '') return [firstGroup(assertion.property, asWholeText(subject))]
  return [subject]
}

const asWholeText = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

const captured = (regex: string | null, value: unknown) =>
  regex === null || value === undefined ? value : firstGroup(regex, asWholeText(value))

function evaluateOne(task: AssertionTask, documents: Documents): AssertionFinding {
  const { comparison, target, regex } = task.assertion
  const values = valuesOf(task, documents).map((value) => captured(regex, value))
  for (const [index, value] of values.entries()) {
    const { holds, note } = compare(comparison, value, target)
    if (holds) continue
    const which = values.length > 1 ? `value ${index + 1} of ${values.length}` : undefined
    const problem = [which, note].filter((part) => part !== undefined).join(', ')
    return { passed: false, actual: asText(value), problem: problem === '' ? null : problem }
  }
  return { passed: true, actual: asText(values.length === 1 ? values[0] : values), problem: null }
}

/** Evaluates assertions in order, one answer each. Trouble with an expression or document fails the assertion. */
export function* evaluateAssertions(tasks: Iterable<AssertionTask>): Generator<AssertionFinding> {
  const documents: Documents = new Map()
  for (const task of tasks) {
    try {
      yield evaluateOne(task, documents)
    } catch (error) {
      yield failed(problemText(error))
    }
  }
}

/** Expressions bring their own words; running out of stack or depth comes from what the target sent. */
function problemText(error: unknown): string {
  if (error instanceof ExpressionProblem) return error.message
  const reason = error instanceof Error ? error.message : String(error)
  return `it could not be evaluated: ${reason.slice(0, 200)}`
}

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

const shortened = (text: string) => (text.length > 200 ? `${text.slice(0, 200)}…` : text)

/** Why an assertion failed: "Expected STATUS_CODE equals 200, got 503". */
export function assertionMessage(assertion: Assertion, { actual, problem }: AssertionFinding): string {
  const subject = [assertion.source, shortened(assertion.property)].filter((part) => part !== '').join(' ')
  const target = withoutTarget.has(assertion.comparison) ? '' : ` ${shortened(assertion.target) || '""'}`
  const got = actual === null ? 'nothing' : shortened(actual) || 'an empty text'
  const because = problem === null ? '' : `: ${shortened(problem)}`
  return `Expected ${subject} ${words[assertion.comparison]}${target}, got ${got}${because}`
}
