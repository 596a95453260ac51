import type { Assertion, Comparison, CrossFieldRule, FieldProblem } from '@vedette/wire'
import type { AnyCheckType, AssertionSource } from '../check-type.ts'

/** Dotted path of the assertions in the definition of every type that has them. */
export const assertionsPath = 'request.assertions'

const isNumeric = (text: string) => text.trim() !== '' && Number.isFinite(Number(text))
const ordersNumbers = new Set(['GREATER_THAN', 'LESS_THAN'])
const takesTarget = (comparison: string) => !/^(IS|NOT)_(EMPTY|NULL)$/.test(comparison)

/** Comparisons that a source takes for a property of it. */
export function comparisonsFor<Evidence>(
  { comparisons, property }: AssertionSource<Evidence>,
  of: string,
): readonly Comparison[] {
  const own = property?.comparisons
  return own !== undefined && Object.hasOwn(own, of) ? (own[of] ?? comparisons) : comparisons
}

/**
 * Compared with a target that is not a number, a number has the same outcome in every run, so such a target is refused.
 */
function targetProblems({ numeric }: AssertionSource<unknown>, { source, comparison, target }: Assertion) {
  const needsNumber = ordersNumbers.has(comparison) || (numeric === true && takesTarget(comparison))
  if (!needsNumber || isNumeric(target)) return []
  return [{ path: 'target', message: `must be a number for ${source} ${comparison}, got "${target.slice(0, 100)}"` }]
}

function problemsOf(source: AssertionSource<unknown> | undefined, assertion: Assertion): FieldProblem[] {
  if (source === undefined) return [{ path: 'source', message: `is unknown: ${assertion.source}` }]
  const problems: FieldProblem[] = []
  const comparisons = comparisonsFor(source, assertion.property)
  if (!comparisons.includes(assertion.comparison)) {
    const allowed = comparisons.join(', ')
    const named = comparisons === source.comparisons ? assertion.source : `${assertion.source} ${assertion.property}`
    problems.push({
      path: 'comparison',
      message: `must be one of ${allowed} for ${named}, got ${assertion.comparison}`,
    })
  }
  if (source.property?.required === true && assertion.property.trim() === '') {
    problems.push({ path: 'property', message: `is required for ${assertion.source} (${source.property.label})` })
  }
  const options = source.property?.options
  if (options !== undefined && !options.includes(assertion.property)) {
    problems.push({ path: 'property', message: `must be one of ${options.join(', ')}, got "${assertion.property}"` })
  }
  return [...problems, ...targetProblems(source, assertion)]
}

/** Assertions must use a comparison their source takes, and name what it needs. */
export const assertionRule =
  (type: AnyCheckType): CrossFieldRule =>
  (definition) =>
    type.assertions(definition).flatMap((assertion, index) => {
      const source = Object.hasOwn(type.assertionSources, assertion.source)
        ? type.assertionSources[assertion.source]
        : undefined
      return problemsOf(source, assertion).map(({ path, message }) => ({
        path: `${assertionsPath}.${index}.${path}`,
        message,
      }))
    })
