import { ownProperty } from './own-property.ts'
import type { Call, Expression, PathExpression } from './template-ast.ts'
import { TemplateProblem, templateLimits } from './template-problem.ts'
import { simpleName } from './validate-template.ts'
import type { TemplateWorld, Word } from './word.ts'
import { wordNamed } from './words.ts'

/** What names mean at one place of a template. */
export interface Scope {
  self: unknown
  parent?: Scope
  /** `@index`, `@key`, `@first`, `@last`. */
  data: Record<string, unknown>
  /** Names given by `as |x|`. */
  locals: Record<string, unknown>
}

export interface Evaluator {
  /** A tag or block head: a word with arguments, or a value. */
  (call: Call, scope: Scope): unknown
  expression(expression: Expression, scope: Scope): unknown
}

/** Evaluates the expressions of one rendering. The work of all of them together is bounded. */
export function createEvaluator(world: TemplateWorld): Evaluator {
  let calls = 0

  const callWord = (name: string, word: Word, call: Call, scope: Scope): unknown => {
    calls += 1
    if (calls > templateLimits.steps) {
      throw new TemplateProblem(`took more than ${templateLimits.steps} steps to render`)
    }
    const args = call.params.map((param) => expression(param, scope))
    return bounded(compute(word, name, args, world), name)
  }

  const evaluate = (call: Call, scope: Scope): unknown => {
    const name = simpleName(call.path)
    const word = name === undefined || Object.hasOwn(scope.locals, name) ? undefined : wordNamed(name)
    if (word && name !== undefined) return callWord(name, word, call, scope)
    return expression(call.path, scope)
  }

  const expression = (node: Expression, scope: Scope): unknown => {
    if (node.type === 'SubExpression') return evaluate(node, scope)
    if (node.type === 'PathExpression') return readPath(node, scope)
    if (node.type === 'NullLiteral') return null
    return 'value' in node ? node.value : undefined
  }

  const readPath = ({ parts, data, depth, original }: PathExpression, scope: Scope): unknown => {
    const [head, ...tail] = parts
    if (head !== undefined && typeof head !== 'string') return readParts(evaluate(head, scope), tail)
    if (data) return head === undefined ? undefined : readParts(ownProperty(scope.data, head), tail)
    const named = depth === 0 && head !== undefined && !/^(?:this\b|\.)/.test(original)
    if (named && Object.hasOwn(scope.locals, head)) return readParts(scope.locals[head], tail)
    const start = ancestor(scope, depth)
    return readParts(start?.self, parts)
  }

  return Object.assign(evaluate, { expression })
}

function readParts(value: unknown, parts: readonly unknown[]): unknown {
  let reached = value
  for (const part of parts) reached = ownProperty(reached, String(part))
  return reached
}

function ancestor(scope: Scope, depth: number): Scope | undefined {
  let reached: Scope | undefined = scope
  for (let level = 0; level < depth && reached; level += 1) reached = reached.parent
  return reached
}

function compute(word: Word, name: string, args: readonly unknown[], world: TemplateWorld): unknown {
  try {
    if (word.kind === 'condition') return word.decide(args)
    if (word.kind === 'value') return word.compute(args, world)
  } catch (error) {
    throw new TemplateProblem(`is wrong at "${name}": ${error instanceof Error ? error.message : String(error)}`)
  }
  throw new TemplateProblem(`is wrong: "${name}" must be a block`)
}

// Words fed with their own output double it each time.
function bounded(value: unknown, name: string): unknown {
  const length = typeof value === 'string' || Array.isArray(value) ? value.length : 0
  if (length > templateLimits.valueChars) {
    throw new TemplateProblem(`is wrong: "${name}" made a value longer than ${templateLimits.valueChars}`)
  }
  return value
}
