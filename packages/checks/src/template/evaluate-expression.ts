import { helperNamed, type Helper, type TemplateDialect, type TemplateRuntime } from './dialect.ts'
import { ownProperty } from './plain-data.ts'
import type { Call, Expression, PathExpression } from './template-ast.ts'
import { misuse, TemplateProblem } from './template-problem.ts'
import { simpleName, startsAtThis } from './validate-template.ts'

/** What names mean at one position of a template. */
export interface Scope {
  self: unknown
  parent?: Scope
  /** `@index`, `@key`, `@first`, `@last`. */
  data: Record<string, unknown>
  /** Names that hide helpers: those given by `as |x|`, and the variables of checks. */
  locals: Readonly<Record<string, unknown>>
}

/** State of one rendering that expressions use. The work of all expressions together is bounded. */
export interface Evaluation {
  dialect: TemplateDialect
  runtime: TemplateRuntime
  /** Helpers called so far. */
  calls: number
}

/** The helper that a tag, block or nested call means, undefined when it means a value. */
export function helperOf(call: Call, scope: Scope, { dialect }: Evaluation): Helper | undefined {
  const name = simpleName(call.path)
  if (name === undefined) return undefined
  const hidden = call.params.length === 0 && Object.hasOwn(scope.locals, name)
  return hidden ? undefined : helperNamed(dialect.helpers, name)
}

/** The value of a tag or block head: of a helper with arguments, or of a path. */
export function evaluateCall(call: Call, scope: Scope, evaluation: Evaluation): unknown {
  const helper = helperOf(call, scope, evaluation)
  if (helper === undefined) return evaluateExpression(call.path, scope, evaluation)
  const { steps, valueChars } = evaluation.dialect.limits
  evaluation.calls += 1
  if (evaluation.calls > steps) throw new TemplateProblem(`the template took more than ${steps} steps to render`)
  const args = call.params.map((param) => evaluateExpression(param, scope, evaluation))
  const value = compute(helper, call, args, evaluation.runtime)
  // A helper applied to its own output may double it each time.
  if (lengthOf(value) > valueChars) throw misuse(call, `its value is longer than ${valueChars}`)
  return value
}

export function evaluateExpression(node: Expression, scope: Scope, evaluation: Evaluation): unknown {
  if (node.type === 'SubExpression') return evaluateCall(node, scope, evaluation)
  if (node.type === 'PathExpression') return readPath(node, scope, evaluation)
  if (node.type === 'NullLiteral') return null
  return 'value' in node ? node.value : undefined
}

function readPath(path: PathExpression, scope: Scope, evaluation: Evaluation): unknown {
  const [head, ...tail] = path.parts
  if (head !== undefined && typeof head !== 'string') return readParts(evaluateCall(head, scope, evaluation), tail)
  if (path.data) return head === undefined ? undefined : readParts(ownProperty(scope.data, head), tail)
  const named = path.depth === 0 && head !== undefined && !startsAtThis(path)
  if (named && Object.hasOwn(scope.locals, head)) return readParts(scope.locals[head], tail)
  if (evaluation.dialect.unknownName === 'refused') {
    throw new TemplateProblem(`unknown variable {{${simpleName(path) ?? path.original}}}`)
  }
  return readParts(ancestor(scope, path.depth)?.self, path.parts)
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

function compute(helper: Helper, call: Call, args: readonly unknown[], runtime: TemplateRuntime): unknown {
  try {
    if (helper.kind === 'condition') return helper.decide(args)
    if (helper.kind === 'value') return helper.compute(args, runtime)
  } catch (error) {
    throw misuse(call, error instanceof Error ? error.message : String(error))
  }
  throw misuse(call, 'it must be a block')
}

const lengthOf = (value: unknown): number => (typeof value === 'string' || Array.isArray(value) ? value.length : 0)
