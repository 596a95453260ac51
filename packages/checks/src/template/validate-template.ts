import { LRUCache } from 'lru-cache'
import { argumentProblem, helperNamed, type Helpers } from './dialect.ts'
import {
  lineOf,
  type Call,
  type Expression,
  type PathExpression,
  type Program,
  type Statement,
} from './template-ast.ts'
import { misuse, TemplateProblem } from './template-problem.ts'

type Form = 'inline' | 'block' | 'nested'

const remembered = { max: 1000, maxSize: 4_000_000 }
/** Approximate memory of a tag in a syntax tree, in characters. */
const tagSize = 500

/** Makes the function that parses and checks texts. It caches recent ones, because the same texts come again. */
export function templateReader(parse: (text: string) => Program, helpers: Helpers): (text: string) => Program {
  const programs = new LRUCache<string, Program>({
    ...remembered,
    sizeCalculation: (_, text) => text.length + text.split('{{').length * tagSize,
    memoMethod: (text) => {
      const program = parse(text)
      checkProgram(program, helpers)
      return program
    },
  })
  return (text) => programs.memo(text)
}

/** Throws `TemplateProblem` when a template uses what does not exist or uses it wrongly. */
function checkProgram(program: Program | undefined, helpers: Helpers): void {
  for (const statement of program?.body ?? []) checkStatement(statement, helpers)
}

function checkStatement(statement: Statement, helpers: Helpers): void {
  switch (statement.type) {
    case 'ContentStatement':
    case 'CommentStatement':
      return
    case 'MustacheStatement':
      return checkCall(statement, 'inline', helpers)
    case 'BlockStatement':
      checkCall(statement, 'block', helpers)
      checkProgram(statement.program, helpers)
      return checkProgram(statement.inverse, helpers)
    default:
      throw new TemplateProblem(`uses partials or decorators${lineOf(statement)}, which do not exist here`)
  }
}

/** Whether a path begins with `this` or `.`. `[this]` is a name. */
export const startsAtThis = ({ original }: PathExpression): boolean => /^(?:this\b|\.)/.test(original)

/** Name of a path that may be a helper: one part, no `this`, no `@`. */
export function simpleName(path: Expression): string | undefined {
  if (path.type !== 'PathExpression') return undefined
  const { parts, data, depth } = path
  const [first] = parts
  const plain = !data && depth === 0 && parts.length === 1 && !startsAtThis(path)
  return plain && typeof first === 'string' ? first : undefined
}

function checkCall(call: Call, form: Form, helpers: Helpers): void {
  const name = simpleName(call.path)
  const helper = name === undefined ? undefined : helperNamed(helpers, name)
  const given = [...call.params, ...(call.hash?.pairs ?? []).map((pair) => pair.value)]
  if (helper && name !== undefined) {
    const problem = argumentProblem(name, helper, call.params.length) ?? misplaced(name, helper.kind, form)
    if (problem !== undefined) throw misuse(call, problem)
  } else {
    const isValue = given.length === 0 && form !== 'nested'
    if (!isValue) throw misuse(call, `unknown helper "${nameOf(call.path)}"`)
    checkExpression(call.path, helpers)
  }
  for (const expression of given) checkExpression(expression, helpers)
}

function misplaced(name: string, kind: string, form: Form): string | undefined {
  if (kind === 'block' && form !== 'block') return `"${name}" must be a block: {{#${name} …}} … {{/${name}}}`
  return kind === 'value' && form === 'block' ? `"${name}" is a value and cannot be a block` : undefined
}

function checkExpression(expression: Expression, helpers: Helpers): void {
  if (expression.type === 'SubExpression') return checkCall(expression, 'nested', helpers)
  if (expression.type !== 'PathExpression') return
  for (const part of expression.parts) {
    if (typeof part !== 'string') checkExpression(part, helpers)
  }
}

const nameOf = (path: Expression): string =>
  (simpleName(path) ?? (path.type === 'PathExpression' ? path.original : 'a nested helper')).slice(0, 100)
