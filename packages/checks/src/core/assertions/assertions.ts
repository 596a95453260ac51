import type { Assertion } from '@vedette/wire'
import type { AssertedValue, AssertionSource } from '../check-type.ts'
import { compare } from './compare.ts'
import type { JsonPath } from './member-path.ts'

/** A regular expression, JSONPath or document that cannot be used. Its message is shown to the user. */
export class ExpressionProblem extends Error {}

/** The engines for JSONPaths and regular expressions. They are passed in, because they are large to load. */
export interface Expressions {
  jsonPath(path: string): JsonPath
  /** The first capture group of the first match, the whole match when there is no group. */
  firstGroup(pattern: string, text: string): string | undefined
}

/** One assertion with the value it reads. It is plain data, so that another thread can evaluate it. */
export interface AssertionTask {
  assertion: Assertion
  reads: AssertionSource<never>['reads']
  subject: AssertedValue
  /** Longest actual value in the finding, in characters. */
  keep: number
}

/**
 * The outcome of one assertion. `actual` is kept long enough to be scrubbed before it is cut; `problem` says why
 * nothing could be compared.
 */
export interface AssertionFinding {
  passed: boolean
  actual: string | null
  problem: string | null
}

/** What the assertions of one batch share, so that each document is parsed once. */
interface Shared {
  documents: Map<string, unknown>
  expressions: Expressions
}

const failed = (problem: string, actual: string | null = null): AssertionFinding => ({ passed: false, actual, problem })

function asText(value: unknown, keep: number): string | null {
  if (value === undefined) return null
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.slice(0, keep)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new ExpressionProblem(text.trim() === '' ? 'the body is empty, not JSON' : 'the body is not JSON')
  }
}

function documentOf(subject: AssertedValue, { documents }: Shared): unknown {
  if (typeof subject !== 'string') return subject
  if (!documents.has(subject)) documents.set(subject, parse(subject))
  return documents.get(subject)
}

/** The values to compare: all that the property selects, or one `undefined` when it selects nothing. */
function valuesOf({ assertion, reads, subject }: AssertionTask, shared: Shared): readonly unknown[] {
  const { expressions } = shared
  if (subject === undefined) return [undefined]
  if (reads === 'jsonPath') {
    const values = expressions.jsonPath(assertion.property).values(documentOf(subject, shared))
    return values.length === 0 ? [undefined] : values
  }
  if (reads === 'regex' && assertion.property !== '')
    return [expressions.firstGroup(assertion.property, asWholeText(subject))]
  return [subject]
}

const asWholeText = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

const captured = (regex: string | null, value: unknown, { expressions }: Shared) =>
  regex === null || value === undefined ? value : expressions.firstGroup(regex, asWholeText(value))

function evaluateOne(task: AssertionTask, shared: Shared): AssertionFinding {
  const { comparison, target, regex } = task.assertion
  const values = valuesOf(task, shared).map((value) => captured(regex, value, shared))
  for (const [index, value] of values.entries()) {
    const { holds, note } = compare(comparison, value, target)
    if (holds) continue
    const which = values.length > 1 ? `value ${index + 1} of ${values.length}` : undefined
    const problem = [which, note].filter((part) => part !== undefined).join(', ')
    return { passed: false, actual: asText(value, task.keep), problem: problem === '' ? null : problem }
  }
  return { passed: true, actual: asText(values.length === 1 ? values[0] : values, task.keep), problem: null }
}

/**
 * Evaluates assertions in order and answers one finding each. An expression or document that cannot be used fails its
 * assertion.
 */
export function* evaluateAssertions(
  tasks: Iterable<AssertionTask>,
  expressions: Expressions,
): Generator<AssertionFinding> {
  const shared: Shared = { documents: new Map(), expressions }
  for (const task of tasks) {
    try {
      yield evaluateOne(task, shared)
    } catch (error) {
      yield failed(problemText(error))
    }
  }
}

/**
 * Problems of expressions have a message of their own. Running out of stack or depth is caused by what the target sent.
 */
function problemText(error: unknown): string {
  if (error instanceof ExpressionProblem) return error.message
  const reason = error instanceof Error ? error.message : String(error)
  return `it could not be evaluated: ${reason.slice(0, 200)}`
}
