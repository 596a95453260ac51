import type { Assertion, FieldProblem } from '@vedette/wire'
import { assertionsPath } from './core/assertions/assertion-rules.ts'
import type { AnyCheckType, Definition } from './core/check-type.ts'
import { ruleProblems } from './core/definition/complete-definition.ts'
import { ExpressionProblem } from './core/assertions/assertions.ts'
import { compileJsonPath } from './core/assertions/json-path.ts'
import { compileRegex } from './core/assertions/regex.ts'

function problemOf(compile: (text: string) => unknown, text: string): string | undefined {
  try {
    compile(text)
    return undefined
  } catch (error) {
    if (!(error instanceof ExpressionProblem)) throw error
    return error.message
  }
}

function expressionProblems(type: AnyCheckType, assertion: Assertion): FieldProblem[] {
  const reads = type.assertionSources[assertion.source]?.reads
  const compile = reads === 'jsonPath' ? compileJsonPath : reads === 'regex' ? compileRegex : undefined
  const ofProperty = compile === undefined ? undefined : problemOf(compile, assertion.property)
  const ofRegex = assertion.regex === null ? undefined : problemOf(compileRegex, assertion.regex)
  return [
    ...(ofProperty === undefined ? [] : [{ path: 'property', message: ofProperty }]),
    ...(ofRegex === undefined ? [] : [{ path: 'regex', message: ofRegex }]),
  ]
}

/**
 * Everything that is wrong with a complete definition: the rules over its fields, and JSONPaths and regular expressions
 * that cannot be used. It is not in the package's index, because it loads the engines for those.
 */
export function validateWhole(type: AnyCheckType, definition: Definition): FieldProblem[] {
  const ofExpressions = type.assertions(definition).flatMap((assertion, index) =>
    expressionProblems(type, assertion).map(({ path, message }) => ({
      path: `${assertionsPath}.${index}.${path}`,
      message,
    })),
  )
  return [...ruleProblems(type, definition), ...ofExpressions]
}
