import type { AssertionOutcome } from '@vedette/wire'
import type { AssertionPool } from './assertion-pool.ts'
import { assertionMessage } from './assertion-message.ts'
import {
  evaluateAssertions,
  ExpressionProblem,
  type AssertionFinding,
  type AssertionTask,
  type Expressions,
} from './assertions.ts'
import type { AnyCheckType, AssertedValue, Definition, Observation } from '../check-type.ts'
import { fromMembers, parseMemberPath } from './member-path.ts'
import { cutText } from '../plain-text.ts'
import type { Scrubber } from '../secrets/scrub.ts'

/**
 * Documents up to this many characters are evaluated in this thread, because sending them to another one takes longer.
 */
const smallDocument = 16_384

/** Characters of an actual value that are reported. */
const actualLimit = 500

/** Enough for assertions that need no engine. */
const plainExpressions: Expressions = {
  jsonPath(path) {
    const members = parseMemberPath(path)
    if (members === undefined) throw new ExpressionProblem(`The JSONPath ${path} needs the assertion thread`)
    return fromMembers(members)
  },
  firstGroup(pattern) {
    throw new ExpressionProblem(`The regular expression ${pattern} needs the assertion thread`)
  },
}

/** True for comparisons that are too quick to need a time limit: values, headers, plain paths into small documents. */
function isTrivial({ assertion: { property, regex }, reads, subject }: AssertionTask): boolean {
  if (regex !== null) return false
  if (reads === 'value') return true
  if (reads === 'regex') return property === ''
  if (typeof subject === 'string' && subject.length > smallDocument) return false
  return !property.endsWith('.length') && parseMemberPath(property) !== undefined
}

function tasksOf(type: AnyCheckType, definition: Definition, evidence: unknown, keep: number): AssertionTask[] {
  return type.assertions(definition).flatMap((assertion) => {
    const source = type.assertionSources[assertion.source]
    if (source === undefined) return []
    const subject: AssertedValue = evidence === undefined ? undefined : source.read(evidence, assertion.property)
    return [{ assertion, reads: source.reads, subject, keep }]
  })
}

async function findingsOf(
  tasks: readonly AssertionTask[],
  pool: AssertionPool,
  owner: string,
): Promise<AssertionFinding[]> {
  const trivial = evaluateAssertions(tasks.filter(isTrivial), plainExpressions)
  const inThread = await pool.evaluate(
    tasks.filter((task) => !isTrivial(task)),
    owner,
  )
  const others = inThread[Symbol.iterator]()
  return tasks.map((task) => {
    const next = (isTrivial(task) ? trivial : others).next()
    if (next.done === true) throw new Error('An assertion was left without a finding')
    return next.value
  })
}

/**
 * Evaluates all assertions of the check `owner` on an observation. Values are scrubbed before they are cut and put into
 * messages.
 */
export async function evaluateObservation(
  type: AnyCheckType,
  definition: Definition,
  { evidence, error }: Observation<unknown>,
  { owner, pool, scrubber }: { owner: string; pool: AssertionPool; scrubber: Scrubber },
): Promise<AssertionOutcome[]> {
  const tasks = tasksOf(type, definition, evidence, actualLimit + scrubber.longest)
  const findings = await findingsOf(tasks, pool, owner)
  const unanswered = error !== undefined && type.judge(definition, evidence, error) !== undefined
  return tasks.map(({ assertion, subject }, order) => {
    const found = findings[order] ?? { passed: false, actual: null, problem: null }
    const seen = unanswered && subject === undefined ? { ...found, passed: false, problem: error.text } : found
    return toOutcome({ ...assertion, ...scrubTexts(assertion, scrubber) }, order, scrubFinding(seen, scrubber))
  })
}

/** Only texts written by users are scrubbed: the names of sources and comparisons hold no secrets. */
const scrubTexts = ({ property, target, regex }: AssertionTask['assertion'], scrubber: Scrubber) =>
  scrubber.value({ property, target, regex })

const scrubFinding = ({ passed, actual, problem }: AssertionFinding, scrubber: Scrubber): AssertionFinding => ({
  passed,
  actual: actual === null ? null : scrubber.excerpt(actual),
  problem: problem === null ? null : scrubber.text(problem),
})

function toOutcome(assertion: AssertionTask['assertion'], order: number, finding: AssertionFinding): AssertionOutcome {
  const { source, comparison, property, target, regex } = assertion
  const message = finding.passed ? null : cutText(assertionMessage(assertion, finding), 2000)
  const actual = finding.actual === null ? null : cutText(finding.actual, actualLimit)
  return { order, source, comparison, property, target, regex, passed: finding.passed, actual, message }
}
